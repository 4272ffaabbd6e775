"""Words that tell whether two statements are about one thing: units, bounds, qualifiers, parties.  English, banking; data alone."""

from typing import Final

from gateway.content.terms import stem

CURRENCIES: Final = frozenset(
    "AED AUD BRL CAD CHF CNH CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PLN RUB SAR SEK SGD THB TRY TWD USD"
    " VND ZAR".split()
)
SIGNS: Final = {"$": "USD", "US$": "USD", "S$": "SGD", "HK$": "HKD", "A$": "AUD", "€": "EUR", "£": "GBP", "¥": "JPY"}

UNITS: Final = {
    "second": ("time", 1 / 3600),
    "minute": ("time", 1 / 60),
    "hour": ("time", 1.0),
    "day": ("time", 24.0),
    "week": ("time", 168.0),
    "month": ("months", 1.0),
    "quarter": ("months", 3.0),
    "year": ("months", 12.0),
}
"""Of what length each unit is, and how many of it: hours or months, since a month is no number of hours."""

HOURS_OF_A_MONTH: Final = (28 * 24.0, 31 * 24.0)

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov"
        "|december dec".split("|"),
        1,
    )
    for name in names.split()
}

NUMBERS_NOTHING: Final = frozenset(
    "section sections paragraph paragraphs para clause clauses article articles chapter page pages version versions notice notices"
    " appendix annex annexe form rule table figure footnote footnotes item note exhibit schedule part question line ref reference"
    " no number basel ifrs iso".split()
)
"""What is numbered and says nothing of what is spoken of: a number after one of these is no figure."""

NUMBERS_KINDS: Final = frozenset(
    "tier level category class phase stage step grade band bucket group type zone series round option scenario priority severity port"
    " model pillar rank schedule lane gate".split()
)
"""What is numbered in kinds: what holds of tier 1 says nothing of tier 2."""

LOW_BOUND: Final = frozenset("least minimum min above exceeding older larger greater floor".split())
HIGH_BOUND: Final = frozenset("most maximum max within below cap capped ceiling".split())
COMPARED: Final = frozenset("above below exceeding older larger greater smaller shorter longer".split())

NOT_IN_FORCE: Final = frozenset(
    "was were had formerly previously former previous earlier last stood reached took came averaged originally historically"
    " proposes proposed proposal propose would suppose assume example examples e.g instance illustration hypothetical"
    " superseded replaced".split()
)
"""A clause with one of these tells what held once, what came out, or what might be; it states nothing that holds."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


QUALIFIERS: Final = _stems(
    "retail institutional corporate private accredited professional wholesale individual sme sovereign government bank"
    " interim final draft preliminary provisional initial first second third fourth"
    " high medium low standard simplified enhanced critical major minor severe urgent emergency routine"
    " domestic foreign international regional local overseas abroad home incoming outgoing inbound outbound"
    " secured unsecured senior junior subordinated listed unlisted unrated"
    " new existing electronic paper online mobile cash wire cheque physical"
    " intraday overnight weekend holiday peak"
    " gross net fixed floating variable buy sell long short spot forward future option swap"
    " residential commercial industrial public temporary permanent internal external"
    " average median mean actual expected used unused remaining available outstanding undrawn"
    " gold silver platinum premium basic production test development volatile stressed normal"
    " singapore hong kong japan india china malaysia indonesia thailand vietnam korea taiwan australia zealand"
    " kingdom states germany france switzerland luxembourg ireland netherlands spain italy canada brazil dubai europe asia america"
) | frozenset(map(stem, MONTHS))
"""A statement that has one of these holds of less than one that has not."""

PARTIES: Final = _stems(
    "regulator authority board management manager committee client customer counterparty branch desk finance operations compliance"
    " legal risk audit auditor trader vendor supplier employee staff head officer treasury technology owner"
)
"""Who does it or gets it: may be left unsaid, but another one is another thing."""

GENERIC: Final = _stems(
    "amount value total period time date due complete completed perform conduct carry carries require required apply applies need needs"
    " make set use run company have allow exceed exceeds follow receive receiving received receipt bank policy procedure scope"
    " case department team unit function person each all account accounts no than more less later also out cost costs"
    " day days hour hours week month year following after before level deadline only"
    " shall subject must end per given least most minimum maximum min max within above below cap ceiling older larger greater smaller"
    " exceeding based basis rule upon regarding id number current its currency cent percent approximately about"
)
"""Words that nearly every statement of a figure may have or not."""

SAME: Final = {
    stem(word): stem(words.split()[0])
    for words in (
        "send file submit lodge deliver transmit submitted filed sent",
        "keep retain store preserve retention stored kept retained archive",
        "report notify inform notification reporting notified",
        "answer respond reply response",
        "resolve resolution settle settled",
        "approve authorise authorize approval sign-off",
        "delete remove erase deletion removal destroy",
        "limit cap ceiling",
        "client customer",
        "staff employee",
        "examine review reassess reviewed",
        "fee charge",
        "record records",
        "company firm bank",
        "detect detection",
        "validate validation validated validator validators",
        "test testing tested",
        "var value-at-risk",
        "approver approvers",
        "loss losses",
    )
    for word in words.split()
}
"""Words that say the same of a thing, in one of them."""
