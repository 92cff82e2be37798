import type { Habit } from "../settings/settings";

export const htmlNotFound: Habit = {
  name: "html-not-found",
  does: "every 404 has the HTML page of a proxy as its body",
  client: "takes such a 404 for no proof of anything: the object is not readable, and the state keeps it",
  since: "always, behind proxies with custom error pages",
  sources: [
    "[lab mr complains that gitlab project not found](https://github.com/zaquestion/lab/issues/114) (a 404 page of Apache)",
    "[Api unable to GET /api/v3/projects/ by project group/name](https://github.com/gitlabhq/gitlabhq/issues/8924) (the same)",
  ],
  on: "by name",
};

export const NOT_FOUND_PAGE =
  "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body></body></html>\n";
