/**
 * A write was answered, but what it made is read by another request, and that one failed. The object exists: what was
 * sent stands for it until the next refresh.
 */
export class NotReadBack<Made = unknown> extends Error {
  override readonly name = "NotReadBack";

  /** @param made the object as far as the request and its answer tell */
  constructor(
    readonly made: Made,
    readonly problem: unknown,
  ) {
    super("what was written could not be read");
  }
}
