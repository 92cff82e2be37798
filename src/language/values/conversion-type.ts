import type { AttributePath } from "../../diagnostics";
import type { Type } from "./types";
import type { Value } from "./value";

/** Turns a value of the one type into the other; the path says where the value stands, for errors. */
export type Conversion = (value: Value, path: AttributePath) => Value;

/** Finds the way from one type to another. Handed down, because types contain types. */
export type FindConversion = (from: Type, to: Type, unsafe: boolean) => Conversion | undefined;
