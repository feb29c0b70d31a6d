"""The models behind the schemas in this folder (Pydantic v2).

python models.py            prints every schema, as one JSON object
python models.py invoice    prints one: the content of invoice.schema.json
"""

import json
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Literal, Optional, Union
from uuid import UUID

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, StringConstraints


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


# ---- invoice: nothing undeclared allowed, decimals, an enum, a tagged union ----


class Currency(str, Enum):
    EUR = "EUR"
    GBP = "GBP"
    SEK = "SEK"


class Address(Strict):
    street: str
    city: str
    postcode: Annotated[str, StringConstraints(pattern=r"^[A-Z0-9 -]{3,10}$")]
    country: str = Field("NL", min_length=2, max_length=2, description="ISO 3166 code")


class Party(Strict):
    name: str = Field(min_length=1)
    vat_id: Optional[str] = None
    address: Address


class Discount(Strict):
    percent: float = Field(gt=0, le=100)
    reason: str = ""


class LineItem(Strict):
    description: str
    quantity: int = Field(ge=1)
    unit_price: Decimal = Field(ge=0, description="Net, before any discount")
    discount: Optional[Discount] = None


class CardPayment(Strict):
    method: Literal["card"]
    last_four: str = Field(pattern=r"^\d{4}$")


class BankTransfer(Strict):
    method: Literal["transfer"]
    iban: str
    due: date


class Invoice(Strict):
    """An invoice as read from a scanned page."""

    document_type: Literal["invoice"] = "invoice"
    number: str
    issued: date
    currency: Currency = Currency.EUR
    seller: Party
    buyer: Party
    lines: list[LineItem] = Field(min_length=1)
    discount: Optional[Discount] = Field(None, description="On the whole invoice")
    payment: Union[CardPayment, BankTransfer] = Field(discriminator="method")
    tax: Decimal = Decimal("0")
    total: float = Field(ge=0)


# ---- support ticket: undeclared keys allowed, plain unions, a list of tagged events ----


class Priority(str, Enum):
    low = "low"
    normal = "normal"
    urgent = "urgent"


class Customer(BaseModel):
    customer_id: int = Field(gt=0)
    name: str
    email: Optional[str] = None


class Guest(BaseModel):
    nickname: str
    came_from: Optional[AnyUrl] = None


class Message(BaseModel):
    type: Literal["message"]
    at: datetime
    sender: Literal["requester", "agent"]
    body: str


class StatusChange(BaseModel):
    type: Literal["status"]
    at: datetime
    to: Literal["open", "waiting", "solved"]


class Ticket(BaseModel):
    id: UUID
    subject: str = Field(title="Subject line", max_length=120)
    channel: Literal["mail", "chat", "phone"] = "mail"
    priority: Priority = Priority.normal
    requester: Customer | Guest
    order_ref: str | int = Field(description="Digits if the shop wrote it, text otherwise")
    assignee: str | None = None
    labels: list[str] = []
    events: list[Annotated[Message | StatusChange, Field(discriminator="type")]] = []
    extra_fields: dict[str, str | int | bool | None] = Field(default_factory=dict)


# ---- itinerary: tuples, sets, times; scoring keywords given through json_schema_extra ----


class Activity(BaseModel):
    name: str = Field(json_schema_extra={"score": "jaro_winkler", "valueWeight": 2})
    starts: time | None = None
    price: float = Field(0, ge=0)


class Day(BaseModel):
    on: date = Field(json_schema_extra={"score": "exact"})
    town: str
    activities: list[Activity] = Field([], json_schema_extra={"order": "align"})


class Hotel(BaseModel):
    name: str
    nights: int = Field(1, ge=1, le=30)
    position: tuple[float, float] = Field(description="Latitude, longitude")


class Itinerary(BaseModel):
    title: str
    travellers: int = Field(2, ge=1, le=12)
    days: list[Day] = Field(json_schema_extra={"valueWeight": 3})
    hotels: dict[str, Hotel] = Field({}, description="By town")
    legs: list[tuple[str, str, Literal["train", "bus", "ferry"], timedelta]] = []
    tags: set[str] = Field(set(), json_schema_extra={"order": "align"})
    budget: tuple[int, ...] | Literal["open"] = "open"


# ---- file tree: a recursive model, so that the schema's root is itself a $ref ----


class File(BaseModel):
    kind: Literal["file"] = "file"
    name: str
    size: int = Field(ge=0, description="Bytes")
    modified: datetime | None = None


class Link(BaseModel):
    kind: Literal["link"] = "link"
    name: str
    target: str


class Folder(BaseModel):
    kind: Literal["folder"] = "folder"
    name: str
    children: list[Annotated[Union[File, Link, "Folder"], Field(discriminator="kind")]] = []


# ---- trial: maps of models, a map with constrained keys, aliases, exclusive bounds ----


class Phase(IntEnum):
    one = 1
    two = 2
    three = 3


class Dose(Strict):
    amount: float = Field(gt=0)
    unit: Literal["mg", "ml", "IU"]
    per_day: int = Field(1, ge=1, le=6)


class Arm(Strict):
    role: Literal["treatment", "placebo", "control"]
    participants: int = Field(ge=0, multiple_of=2)
    dose: Dose | str | None = Field(None, description="Free text where the protocol has no figures")


class Outcome(Strict):
    measure: str
    weeks: int = Field(ge=0)
    p_value: float | None = Field(None, gt=0, lt=1)


LabCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,5}$")]


class Trial(Strict):
    """A registry entry of a clinical trial."""

    registry_id: str = Field(alias="registryId", pattern=r"^TR-\d{5}$")
    title: str
    phase: Phase
    randomised: bool = True
    started: date
    completed: date | None = None
    arms: dict[str, Arm] = Field(min_length=1)
    primary: list[Outcome] = Field(min_length=1, max_length=3)
    secondary: list[Outcome] = []
    lab_ranges: dict[LabCode, tuple[float, float]] = Field({}, alias="labRanges")


MODELS = {"invoice": Invoice, "ticket": Ticket, "itinerary": Itinerary, "filetree": Folder, "trial": Trial}

if __name__ == "__main__":
    schemas = {name: model.model_json_schema() for name, model in MODELS.items()}
    print(json.dumps(schemas[sys.argv[1]] if len(sys.argv) > 1 else schemas, indent=2))
