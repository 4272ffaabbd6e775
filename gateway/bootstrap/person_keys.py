"""Who wraps the keys of persons, as the settings say."""

from adapters.ledger.aes_sealer import FileKeyWrap
from adapters.ledger.keys.outside import KeyWraps
from adapters.ledger.keys.vault import VaultKeyWrap
from adapters.shared.secrets import read_secret
from gateway.bootstrap.key_files import secret_file
from gateway.errors import ConfigurationError
from gateway.settings import Settings
from ledger.erasable import KeyWrap


def person_keys(settings: Settings) -> KeyWrap:
    """
    Who wraps the keys of persons.

    Raises:
        ConfigurationError: it is not said where it is, or the package for it is not installed.
    """
    kept = FileKeyWrap(read_secret(secret_file(settings, "evidence.key")))
    if settings.person_keys == "file":
        return kept
    return KeyWraps(kept, _vault(settings) if settings.person_keys == "vault" else _pkcs11(settings))


def _vault(settings: Settings) -> KeyWrap:
    if settings.vault_url is None or settings.vault_token is None:
        raise ConfigurationError("keys of persons in a transit engine need CTXGATE_VAULT_URL and CTXGATE_VAULT_TOKEN")
    return VaultKeyWrap(settings.vault_url, settings.vault_token.get_secret_value(), seconds=settings.vault_seconds)


def _pkcs11(settings: Settings) -> KeyWrap:
    if settings.pkcs11_module is None or settings.pkcs11_pin is None:
        raise ConfigurationError("keys of persons on a token need CTXGATE_PKCS11_MODULE and CTXGATE_PKCS11_PIN")
    try:
        from adapters.ledger.keys.pkcs11 import Pkcs11KeyWrap  # noqa: PLC0415 - only where it is asked for
    except ImportError as error:
        raise ConfigurationError("keys of persons on a token need the package python-pkcs11") from error
    return Pkcs11KeyWrap(settings.pkcs11_module, settings.pkcs11_label, settings.pkcs11_pin.get_secret_value())
