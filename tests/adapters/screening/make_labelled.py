"""
Writes the small labelled sets that hold the floor: `labelled/pii.jsonl` and `labelled/injection.jsonl`.

All texts are written for this file; persons, numbers and documents are invented.  Run it again after a change:
`python -m tests.adapters.screening.make_labelled`.
"""

import base64
import codecs
import json
import random

from pathlib import Path

from adapters.screening.presidio.recognizers.hk_hkid import check_digit
from adapters.screening.presidio.recognizers.identifier import luhn
from adapters.screening.presidio.recognizers.sg_nric import check_letter
from adapters.screening.presidio.recognizers.sg_uen import is_valid as is_uen
from adapters.screening.presidio.recognizers.tw_national_id import is_valid as is_taiwan_id
from adapters.screening.presidio.recognizers.tw_ubn import is_valid as is_ubn
from tests.support.texts import (
    ATTACKS,
    BENIGN,
    BENIGN_HARD,
    CARRIERS,
    FOREIGN_ATTACKS,
    NEGATIVES,
    PEOPLE,
    PROSE,
)

HERE = Path(__file__).parent / "labelled"
PICK = random.Random(20260301)


def digits(count):
    return "".join(PICK.choice("0123456789") for _ in range(count))


def until(make, holds):
    while not holds(value := make()):
        pass
    return value


def weighted(value, weights):
    return sum(int(digit) * weight for digit, weight in zip(value, weights, strict=True))


def verhoeff(value):
    turn = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
    for _ in range(6):
        turn.append([turn[-1][index] for index in turn[1]])
    times = [[(a + b) % 5 if a < 5 and b < 5 else 0 for b in range(10)] for a in range(10)]
    for a in range(10):
        for b in range(10):
            if a < 5:
                times[a][b] = (a + b) % 5 + (5 if b >= 5 else 0)
            else:
                times[a][b] = (a - b) % 5 + (0 if b >= 5 else 5)
    check = 0
    for index, digit in enumerate(reversed(value)):
        check = times[check][turn[index % 8][int(digit)]]
    return check == 0


def nric():
    prefix, number = PICK.choice("STFGM"), digits(7)
    return prefix + number + check_letter(prefix, number)


def hkid():
    letters, number = PICK.choice(["A", "C", "K", "Z", "WX", "EC"]), digits(6)
    return f"{letters}{number}({check_digit(letters, number)})"


def aadhaar():
    value = until(lambda: PICK.choice("23456789") + digits(11), verhoeff)
    return f"{value[:4]} {value[4:8]} {value[8:]}"


def abn():
    value = until(
        lambda: PICK.choice("123456789") + digits(10),
        lambda v: (weighted(v, (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)) - 10) % 89 == 0,
    )
    return f"{value[:2]} {value[2:5]} {value[5:8]} {value[8:]}"


def tfn():
    value = until(
        lambda: PICK.choice("123456789") + digits(8), lambda v: weighted(v, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0
    )
    return f"{value[:3]} {value[3:6]} {value[6:]}"


def npwp():
    head = until(lambda: digits(9), luhn)
    return f"{head[:2]}.{head[2:5]}.{head[5:8]}.{head[8]}-{digits(3)}.000"


def card():
    value = until(lambda: "4" + digits(15), luhn)
    return " ".join(value[index : index + 4] for index in range(0, 16, 4))


def nik():
    day, month = PICK.randint(1, 28), PICK.randint(1, 12)
    return f"3174{PICK.randint(1, 9):02}{day:02}{month:02}{PICK.randint(60, 99)}{PICK.randint(1, 9999):04}"


def pan():
    letters = "ABCDEFGHKLMNRSTVWXYZ"
    return (
        "".join(PICK.choice(letters) for _ in range(3)) + "P" + PICK.choice(letters) + digits(4) + PICK.choice(letters)
    )


def phone():
    """One that exists: of a range that each region uses."""
    return PICK.choice(
        [
            f"+65 8{PICK.randint(1, 8)}{digits(2)} {digits(4)}",
            f"+852 9{digits(3)} {digits(4)}",
            f"+61 41{digits(1)} {digits(3)} {digits(3)}",
            f"+886 912 {digits(3)} {digits(3)}",
            f"+91 98{digits(3)} {digits(5)}",
            f"+62 812-{digits(4)}-{digits(4)}",
        ]
    )


KINDS = {
    "SG_NRIC_FIN": ("NRIC", "SG", nric),
    "SG_UEN": ("UEN", "SG", lambda: until(lambda: "20" + digits(7) + PICK.choice("ZKCMDNERGWH"), is_uen)),
    "HK_HKID": ("HKID", "HK", hkid),
    "TW_NATIONAL_ID": (
        "National ID",
        "TW",
        lambda: until(lambda: PICK.choice("ABEFHKNPT") + PICK.choice("12") + digits(8), is_taiwan_id),
    ),
    "TW_UBN": ("UBN", "TW", lambda: until(lambda: digits(8), is_ubn)),
    "ID_NIK": ("NIK", "ID", nik),
    "ID_NPWP": ("NPWP", "ID", npwp),
    "IN_AADHAAR": ("Aadhaar", "IN", aadhaar),
    "IN_PAN": ("PAN", "IN", pan),
    "IN_IFSC": ("IFSC", "IN", lambda: PICK.choice(["HDFC", "KKBK", "PUNB", "BARB"]) + "0" + digits(6)),
    "AU_ABN": ("ABN", "AU", abn),
    "AU_TFN": ("TFN", "AU", tfn),
    "CREDIT_CARD": ("card", "SG", card),
    "PHONE_NUMBER": ("phone", "SG", phone),
    "EMAIL_ADDRESS": ("e-mail", "SG", lambda: f"client{digits(3)}@meridian-trading.com.sg"),
}


def index(text, parts):
    """The text with its gaps filled, and where each part stands."""
    spans, rest, filled = [], text, ""
    for name, (entity, value) in parts.items():
        before, _, rest = rest.partition("{" + name + "}")
        filled += before
        spans.append({"entity_type": entity, "start": len(filled), "end": len(filled) + len(value)})
        filled += value
    return filled + rest, spans


def pii():
    for entity, (label, jurisdiction, make) in KINDS.items():
        for number in range(16):
            person = PICK.choice(PEOPLE[jurisdiction])
            parts = {"person": ("PERSON", person), "value": (entity, make())}
            template = PROSE[number % len(PROSE)].replace("{label}", label)
            text, spans = index(template, parts)
            yield {"text": text, "spans": spans, "jurisdiction": jurisdiction, "kind": "prose"}
        for number in range(4):
            person, value = PICK.choice(PEOPLE[jurisdiction]), make()
            key = label.lower().replace(" ", "_").replace("-", "") if number % 2 else "reference_value"
            text = '{"holder_name": "{person}", "KEY": "{value}", "status": "open"}'.replace("KEY", key)
            text, spans = index(text, {"person": ("PERSON", person), "value": (entity, value)})
            yield {"text": text, "spans": spans, "jurisdiction": jurisdiction, "kind": "json"}
    for number in range(80):
        text = NEGATIVES[number % len(NEGATIVES)]
        while "#" in text:
            text = text.replace("#", digits(1), 1)
        yield {"text": text, "spans": [], "jurisdiction": None, "kind": "negative"}


def disguises(attack: str) -> dict[str, str]:
    """The attack in every disguise, by name."""
    letters = "".join(chr(0xE0000 + ord(letter)) for letter in attack if letter.isascii())
    swapped = attack.translate(str.maketrans("aeopcxyAEOPCTHM", "аеорсхуАЕОРСТНМ"))
    return {
        "base64": f"Reference: {base64.b64encode(attack.encode()).decode()}",
        "hex": f"Trace {attack.encode().hex()}",
        "rot13": codecs.encode(attack, "rot13"),
        "zero-width": "\u200b".join(attack),
        "bidi": "\u202e" + attack[::-1] + "\u202c",
        "tags": f"Regards {letters}",
        "lookalikes": swapped,
        "full-width": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in attack),
        "entities": "".join(f"&#{ord(letter)};" for letter in attack),
        "comment": f"<!-- {attack} -->",
        "css-hidden": f'<span style="display:none">{attack}</span>',
        "link-title": f'See [the notice](https://bank.example/n "{attack}").',
        "spaced": "  ".join(" ".join(word) for word in attack.split()),
    }


def injection():
    for attack in ATTACKS:
        yield {"text": attack, "label": 1, "kind": "direct"}
    for attack in FOREIGN_ATTACKS:
        yield {"text": attack, "label": 1, "kind": "foreign"}
    for number, attack in enumerate(ATTACKS):
        carrier = CARRIERS[number % len(CARRIERS)]
        yield {"text": carrier.replace("{attack}", attack), "label": 1, "kind": "document"}
    for attack in ATTACKS[:8]:
        for name, text in disguises(attack).items():
            carrier = CARRIERS[len(name) % len(CARRIERS)]
            yield {"text": carrier.replace("{attack}", text), "label": 1, "kind": f"disguise:{name}"}
    for text in BENIGN:
        yield {"text": text, "label": 0, "kind": "benign"}
    for carrier in CARRIERS:
        yield {"text": carrier.replace("{attack}", ""), "label": 0, "kind": "benign"}
    for text in BENIGN_HARD:
        yield {"text": text, "label": 0, "kind": "benign_hard"}


def main():
    HERE.mkdir(exist_ok=True)
    for name, rows in (("pii", pii()), ("injection", injection())):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (HERE / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        print(name, len(lines))


if __name__ == "__main__":
    main()
