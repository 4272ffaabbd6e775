"""
Our own few rules, where the rule package has gaps: other languages, scrambled letters, claims to be policy, and
sentences addressed to the assistant.

A rule is a name, a score and a pattern.  Every pattern is linear: no repetition within a repetition, and every gap is
bounded.
"""

import re

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CLAIMED_POLICY: Final = "claimed_policy"
ADDRESSED: Final = "addressed_to_assistant"


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a rule holds."""

    rule: str
    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    score: float
    pattern: re.Pattern[str]
    stems: frozenset[str]
    """Beginnings of words, of five letters at most, one of which is in every text that the pattern matches; empty for none."""


def _rule(name: str, score: float, pattern: str, stems: str = "") -> _Rule:
    return _Rule(name, score, re.compile(pattern, re.IGNORECASE), frozenset(stem[:STEM] for stem in stems.split()))


STEM: Final = 5
_WORD: Final = re.compile(r"[^\W\d_]+")


_OVERRIDE_EN: Final = (
    r"\b(?:ignore|disregard|forget|override|bypass|neglect|skip|drop|discard|overlook)\b[^.!?\n]{0,30}"
    r"\b(?:previous|prior|above|earlier|preceding|foregoing|initial|original|system|existing|all|any|your)\b[^.!?\n]{0,25}"
    r"\b(?:instructions?|directions?|prompts?|rules?|guidelines?|guardrails|commands?|directives?|orders|restrictions|context)\b"
)

_ASSISTANT: Final = r"(?:ais?|a\.i\.|llms?|language models?|chatbots?|virtual assistants?|ai assistants?|assistants?|ai agents?|copilot|chatgpt|gpt|claude|gemini)"
_DOING: Final = r"(?: (?:reading|processing|summari[sz]ing|reviewing|analy[sz]ing) (?:this|it)(?: \w{1,20})?)?"
_ORDER: Final = (
    r"(?:ignore|disregard|forget|send|forward|reply|respond|answer|output|print|reveal|include|add|append|approve|reject|rate|rank|"
    r"recommend|say|tell|write|delete|transfer|execute|run|call|visit|click|state|mark|classify|treat|never|always|do not|don't|must not)"
)

RULES: Final = (
    _rule(
        "override.en", 0.8, _OVERRIDE_EN, "ignore disregard forget override bypass neglect skip drop discard overlook"
    ),
    _rule(
        "override.zh",
        0.85,
        r"(?:忽略|忽視|忽视|無視|无视|不要理会|不要理會|忘记|忘記|忘掉|跳过|跳過|绕过|繞過|覆盖|覆蓋|取消)[^。!?\n]{0,14}"
        r"(?:指令|指示|说明|說明|规则|規則|提示|命令|设定|設定|要求|限制|上文|对话|對話)",
    ),
    _rule(
        "reveal.zh",
        0.75,
        r"(?:显示|顯示|输出|輸出|透露|泄露|洩露|告诉我|告訴我|打印|重复|重複)[^。!?\n]{0,12}(?:系统提示|系統提示|提示词|提示詞|密码|密碼|机密|機密)",
    ),
    _rule(
        "persona.zh",
        0.6,
        r"(?:你现在是|你現在是|从现在起你|從現在起你|从现在开始[,、]?你|從現在開始[,、]?你|扮演)[^。!?\n]{0,24}",
    ),
    _rule(
        "override.id",
        0.85,
        r"\b(?:abaikan|lupakan|hiraukan|lewati|batalkan|jangan (?:ikuti|hiraukan|patuhi))\b[^.!?\n]{0,30}"
        r"\b(?:instruksi|perintah|arahan|aturan|petunjuk|prompt|panduan|batasan|konteks)\b",
        "abaikan lupakan hiraukan lewati batalkan jangan",
    ),
    _rule(
        "override.ms",
        0.85,
        r"\b(?:abaikan|lupakan|langgar|ketepikan|jangan ikut|endahkan|jangan pedulikan)\b[^.!?\n]{0,30}"
        r"\b(?:arahan|perintah|peraturan|panduan|sekatan|gesaan|suruhan)\b",
        "abaikan lupakan langgar ketepikan jangan endahkan",
    ),
    _rule(
        "reveal.id",
        0.7,
        r"\b(?:tampilkan|tunjukkan|ungkapkan|bocorkan|dedahkan|paparkan|beritahu)\b[^.!?\n]{0,30}\b(?:prompt sistem|system prompt|kata sandi|kata laluan|rahasia|rahsia)\b",
        "tampilkan tunjukkan ungkapkan bocorkan dedahkan paparkan beritahu",
    ),
    _rule(
        "persona.id",
        0.55,
        r"\b(?:mulai sekarang|sekarang|mulai saat ini)[, ]{1,2}(?:anda|kamu|awak) (?:adalah|ialah|harus|mesti|perlu)\b",
        "mulai sekarang",
    ),
    _rule(
        "override.hi",
        0.85,
        r"(?:निर्देशों|निर्देश|आदेशों|आदेश|नियमों|नियम|हिदायतों|संकेतों)[^।!?\n]{0,24}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा|छोड़)"
        r"|(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|उपेक्षा)[^।!?\n]{0,24}(?:निर्देश|आदेश|नियम)",
    ),
    _rule(
        "override.hi-latn",
        0.8,
        r"\b(?:pichle|pichhle|purane|upar ke|sabhi)\b[^.!?\n]{0,20}\b(?:nirdesh\w*|aadesh\w*|instructions?|niyam\w*)\b[^.!?\n]{0,20}\b(?:ignore|bhool|bhul|andekha|nazarandaz)",
        "nirde aades niyam instruction instructions nirdesh aadesh ignore bhool bhul andekha nazarandaz",
    ),
    _rule(
        "override.de",
        0.8,
        r"\b(?:ignorier\w*|vergiss|vergesse\w*|missachte\w*|überspring\w*)\b[^.!?\n]{0,40}\b(?:anweisung\w*|instruktion\w*|aufgaben?|regeln?|befehle?|vorgaben?|aufträge?|angaben|informationen)\b",
        "ignorier vergiss vergesse missachte überspring",
    ),
    _rule(
        "override.fr",
        0.8,
        r"\b(?:ignore[zr]?|oublie[zr]?|néglige[zr]?)\b (?:toutes? )?(?:les|vos|tes|ces|mes|tous les)\b[^.!?\n]{0,30}\b(?:instructions?|consignes?|directives?|règles?|ordres?)\b",
        "ignore ignorez ignorer oublie oubliez oublier néglige",
    ),
    _rule(
        "override.es",
        0.8,
        r"\b(?:ignora[rd]?|ignore|olvida[rd]?|olvide|omite|descarta)\b[^.!?\n]{0,30}\b(?:instrucciones|indicaciones|órdenes|reglas|directrices)\b",
        "ignora ignorad ignorar ignore olvida olvide omite descarta",
    ),
    _rule(
        CLAIMED_POLICY,
        0.9,
        r"\b(?:this|the following|these|below)\b[^.!?\n]{0,40}\b(?:policy|policies|rules?|directives?|notice|memo|update|amendment|addendum|instructions?)\b"
        r"[^.!?\n]{0,30}\b(?:supersedes?|overrides?|replaces?|takes? precedence over|cancels?|nullif(?:y|ies))\b[^.!?\n]{0,40}"
        r"\b(?:instructions?|policy|policies|rules?|controls?|system prompt|guardrails|guidelines?|restrictions)\b",
    ),
    _rule(
        CLAIMED_POLICY,
        0.9,
        r"\b(?:treat|regard|consider|accept|interpret|handle)\b[^.!?\n]{0,30}\bas\b[^.!?\n]{0,20}"
        r"\b(?:official|authoritative|binding|approved|current|bank|compliance|system|group|company)\b[^.!?\n]{0,20}\b(?:policy|policies|rules?|instructions?|directives?)\b",
    ),
    _rule(
        CLAIMED_POLICY,
        0.85,
        r"(?:^|\n)\W{0,6}(?:\[?(?:system|admin|compliance|security|policy)\]?\W{0,3}(?:override|update|notice|directive|instruction|message)|new (?:system )?(?:policy|instructions?|directive))\b"
        r"[^\n]{0,12}[:\]][^\n]{0,80}\b(?:assistant|ai|model|agents?|you|llm|chatbot|approve|waive|release|disable|grant|treat)\b",
    ),
    _rule(
        ADDRESSED,
        0.6,
        r"(?:\b(?:dear|hey|hello|attention|note to|message (?:to|for)|instructions? (?:to|for)|to) (?:the |any |all |every )?"
        rf"{_ASSISTANT}{_DOING}\s{{0,2}}[,:;-]{{0,2}}\s{{0,2}}(?:you )?(?:please |kindly |must |should |shall |will |need to |now )?"
        rf"|(?:^|[.!?\n]\s{{0,3}}){_ASSISTANT}{_DOING}\s?[,:;-]\s{{0,2}}(?:you )?(?:please |kindly |must |should |now )?){_ORDER}\b",
    ),
    _rule(
        "exfiltrate",
        0.7,
        r"\b(?:send|forward|e-?mail|post|upload|exfiltrate|transmit|leak|copy)\b[^.!?\n]{0,60}\b(?:password|credentials?|api keys?|secrets?|tokens?|system prompt|conversation|chat history|account (?:details|numbers?)|customer (?:data|records)|confidential)\b"
        r"[^.!?\n]{0,60}(?:https?://|\bto\b[^.!?\n]{0,20}@)",
        "send forward e mail email post upload exfiltrate transmit leak copy",
    ),
    _rule(
        "reveal.en",
        0.7,
        r"\b(?:reveal|print|show|repeat|output|display|disclose|tell me|give me|expose|leak|dump|spell out)\b[^.!?\n]{0,30}"
        r"\b(?:system prompt|system message|hidden (?:prompt|instructions)|initial (?:prompt|instructions)|your (?:prompt|instructions|rules|guidelines|configuration|secret|password)|the (?:password|secret (?:word|key|phrase)))\b",
        "reveal print show repeat output display disclose tell give expose leak dump spell",
    ),
    _rule(
        "persona.en",
        0.6,
        r"\b(?:you are now|from now on,? you(?:'re| are| will| must)|pretend (?:to be|that you are|you are)|act as if you (?:are|were|have)|you will act as|enter (?:developer|dan|god|debug|admin) mode)\b",
        "you from pretend act enter",
    ),
)

_SCRAMBLED: Final = (
    "ignore disregard forget override bypass previous instructions instruction system prompt reveal password secret "
    "credentials directive directives guidelines restrictions execute assistant confidential"
).split()
_KEYS: Final = {(word[0], word[-1], "".join(sorted(word[1:-1]))): word for word in _SCRAMBLED}
_LONG: Final = re.compile(r"\b[a-z]{6,13}\b", re.IGNORECASE)


def hits(text: str) -> Iterator[Hit]:
    """Where our rules hold in a text."""
    stems = {word[:STEM].lower() for word in _WORD.findall(text)}
    for rule in RULES:
        if rule.stems and not rule.stems & stems:
            continue
        for match in rule.pattern.finditer(text):
            yield Hit(rule.name, rule.score, match.start(), match.end())
    yield from scrambled(text)


def scrambled(text: str) -> Iterator[Hit]:
    """
    Words with their inner letters out of order that people still read as the words of an attack ("ignroe prevoius").

    Two of them are a finding: one may be a slip.
    """
    found = []
    for match in _LONG.finditer(text):
        word = match.group().lower()
        meant = _KEYS.get((word[0], word[-1], "".join(sorted(word[1:-1]))))
        if meant is not None and meant != word:
            found.append(match)
    if len(found) >= 2:
        yield Hit("scrambled", 0.8, found[0].start(), found[-1].end())
