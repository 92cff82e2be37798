import { HttpError } from "../http/errors";
import type { ByMode } from "../settings/compat-mode";

/** The error for a write to the former path of a project. */
export const MOVED_WRITES: ByMode<(location: string) => HttpError> = {
  // The client keeps method and body.
  strict: (location) =>
    new HttpError(307, { message: `This resource has been moved permanently to ${location}` }, { location }),
  observed: () => new HttpError(405, { message: "Non GET methods are not allowed for moved projects" }),
};
