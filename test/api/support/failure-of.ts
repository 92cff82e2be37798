import { inspect } from "node:util";
import { ApiError } from "../../../src/api";

/** Returns the ApiError with which a promise rejects. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, not ${inspect(error)}`);
  return error;
}
