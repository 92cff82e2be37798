import { type AttributePath, formatPath } from "../../diagnostics";

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
