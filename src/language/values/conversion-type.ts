import type { AttributePath } from "../../diagnostics";
import type { Type } from "./types";
import type { Value } from "./value";

/** Converts a value; the path is for errors. */
export type Conversion = (value: Value, path: AttributePath) => Value;

/** Finds a conversion. Injected, because types contain types. */
export type FindConversion = (from: Type, to: Type, unsafe: boolean) => Conversion | undefined;
