// The values and rules of printing: jobs, documents, papers and printers.

// Pages and papers consist of geometry. A program that only draws imports Geometry alone.
@_exported public import Geometry
