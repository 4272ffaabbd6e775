# syntax=docker/dockerfile:1
# Two stages: the first has pip and a compiler's headers, the second only what runs.  Pin the base by digest in your registry.
FROM python:3.11.13-slim-bookworm AS build
WORKDIR /src
ENV PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /opt/ctxgate
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN /opt/ctxgate/bin/pip install --require-hashes -r requirements/build.txt \
    && /opt/ctxgate/bin/pip install --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY gateway gateway
COPY adapters adapters
COPY ledger ledger
COPY policies policies
COPY models models
COPY examples examples
COPY sdk sdk
RUN /opt/ctxgate/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11.13-slim-bookworm
RUN groupadd --system --gid 10001 ctxgate && useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/ctxgate ctxgate \
    && install --directory --owner=ctxgate --group=ctxgate --mode=0700 /var/lib/ctxgate
COPY --from=build /opt/ctxgate /opt/ctxgate
ENV PATH=/opt/ctxgate/bin:$PATH PYTHONDONTWRITEBYTECODE=1 CTXGATE_STATE_DIR=/var/lib/ctxgate
USER 10001:10001
WORKDIR /var/lib/ctxgate
VOLUME /var/lib/ctxgate
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/readyz', timeout=2)"]
ENTRYPOINT ["ctxgate"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
