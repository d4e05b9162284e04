"""The graph that every stage works on: values in single-assignment form, operators in order. It knows no file format.

A stage is an opset (`Model.opset`): `tfl`, or `xnn` with kernels of `aten`, as read, `tosa` after legalization.
Constants are operators named in `CONSTANTS` whose attribute `values` holds a numpy view of the file.
"""

from tosa_converter.ir.borders import BorderRow as BorderRow
from tosa_converter.ir.borders import border_rows as border_rows
from tosa_converter.ir.graph import CONSTANTS as CONSTANTS
from tosa_converter.ir.graph import DECLARATIONS as DECLARATIONS
from tosa_converter.ir.graph import ELIDED as ELIDED
from tosa_converter.ir.graph import Form as Form
from tosa_converter.ir.graph import Graph as Graph
from tosa_converter.ir.graph import Op as Op
from tosa_converter.ir.graph import Origin as Origin
from tosa_converter.ir.graph import Value as Value
from tosa_converter.ir.graph import name_with_location as name_with_location
from tosa_converter.ir.graph import unique_names as unique_names
from tosa_converter.ir.model import NEXT as NEXT
from tosa_converter.ir.model import Border as Border
from tosa_converter.ir.model import Model as Model
from tosa_converter.ir.model import Signature as Signature
from tosa_converter.ir.model import State as State
from tosa_converter.ir.model import borders_of_moved as borders_of_moved
from tosa_converter.ir.types import Array as Array
from tosa_converter.ir.types import Attribute as Attribute
from tosa_converter.ir.types import Quant as Quant
from tosa_converter.ir.types import Shape as Shape
from tosa_converter.ir.types import TensorType as TensorType
from tosa_converter.ir.types import plain_type as plain_type
