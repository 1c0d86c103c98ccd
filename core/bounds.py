"""Types of settings with their bounds. `infra.settings` checks them, with pydantic, before anything starts.

Every number of a configuration has a lowest and a highest value: a test goes through the settings of all pipelines. Not a number
and infinity are refused everywhere. A configuration whose values have to fit each other has a method `list_problems`, which
returns what does not fit, though each value is within its own bounds.
"""

from typing import Annotated

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen

Share = Annotated[float, Ge(0), Le(1)]
Probability = Annotated[float, Ge(0), Lt(1)]
PositiveShare = Annotated[float, Gt(0), Le(1)]
Weight = Annotated[float, Ge(0), Le(1_000_000)]
Amount = Annotated[float, Gt(0), Le(1_000_000)]
Count = Annotated[int, Ge(0), Le(1_000_000)]
PositiveCount = Annotated[int, Ge(1), Le(1_000_000)]
ByteLimit = Annotated[int, Ge(1), Le(2**30)]
Curve = tuple[Annotated[float, Ge(-100), Le(100)], Annotated[float, Ge(-100), Le(100)]]
"""Slope and offset of a logistic curve of log odds (Platt 1999)."""
UNCHANGED: Curve = (1.0, 0.0)
"""The curve that leaves every probability as it is."""
Text = Annotated[str, MinLen(1), MaxLen(10_000)]
"""A text that is not empty: an empty one would match everything, or name nothing."""
Problem = tuple[str, str]
"""The name of a wrong setting within its configuration, and what is wrong with it and expected."""
