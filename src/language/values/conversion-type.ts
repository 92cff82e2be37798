import { type AttributePath, formatPath } from "../../diagnostics";
import { isSameType, type Type } from "./types";
import type { Value } from "./value";

/** Converts a value; the path is for errors. */
export type Conversion = (value: Value, path: AttributePath) => Value;

/** Finds a conversion. Injected, because types contain types. */
export type FindConversion = (from: Type, to: Type, isUnsafe: boolean) => Conversion | undefined;

/** Whether values of a type convert to another one. */
export type IsConvertible = (from: Type, to: Type) => boolean;

/** @param isUnsafe whether conversions count that may fail */
export const convertibleBy =
  (find: FindConversion, isUnsafe: boolean): IsConvertible =>
  (from, to) =>
    isSameType(from, to) || find(from, to, isUnsafe) !== undefined;

/** Why a conversion failed, and at which path. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";

  constructor(
    /** A phrase without a full stop, such as "a number is required". */
    readonly reason: string,
    readonly path: AttributePath = [],
  ) {
    super(path.length === 0 ? reason : `${formatPath(path)}: ${reason}`);
  }
}
