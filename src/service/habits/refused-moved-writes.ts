import { HttpError } from "../http/errors";
import type { Choice, Habit } from "../settings/settings";

export const refusedMovedWrites: Habit = {
  name: "refused-moved-writes",
  does: "a write by the old path of a moved project is 405, where the specification settles a redirect",
  client: "finds the project with a GET, and sends the write again, by id",
  since: "no public source names the release",
  sources: [
    '`lib/api/helpers.rb` in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq) ("Non GET methods are not allowed for moved projects"), [In GitLab API, non-GET HTTP methods are not allowed for moved projects](https://github.com/VirtusLab/git-machete/issues/1212)',
  ],
  on: "observed",
};

/** The response to a write that names a project by its former path. */
export const MOVED_WRITES: Choice<(location: string) => HttpError> = {
  habit: refusedMovedWrites,
  // With this status, the client repeats the method and the body.
  off: (location) =>
    new HttpError(307, { message: `This resource has been moved permanently to ${location}` }, { location }),
  on: () => new HttpError(405, { message: "Non GET methods are not allowed for moved projects" }),
};
