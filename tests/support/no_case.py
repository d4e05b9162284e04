"""The error for an operator without a test case, wherever a case is looked up."""

PLACES = {
    "tfl": "tests/support/cases/elementwise.py or the module of its subject beside it",
    "custom": "tests/support/cases/custom.py or the module of its subject beside it",
    "tosa": "tests/support/kernel_cases.py",
    "xnn": "models/make_xnnpack.py",
    "aten": "models/make_xnnpack.py and tests/support/aten_cases.py",
}


class NoCase(LookupError):
    """Raised for an operator without a case; the message says where to add one."""

    def __init__(self, name: str) -> None:
        """Takes a name that begins with the operator's dialect (tfl.add, tosa.add, custom.Mfcc); types may follow."""
        super().__init__(f"no case for {name}: add a case to {PLACES[name.partition('.')[0]]}")
