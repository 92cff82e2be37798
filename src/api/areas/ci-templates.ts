import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type Endpoint, listOperation, type Operation, operation } from "../calls/operation";
import { ApiError, StatusError } from "../errors";
import { text, textOrNull } from "../fields";

const SECTION = "CI/CD YAML templates";

const entry = z.object({ key: text, name: textOrNull });
const template = z.object({ name: textOrNull, content: text });

/** One entry of the list of CI/CD templates. */
export type CiTemplateEntry = z.output<typeof entry>;
/** A template with its content. */
export type CiTemplate = z.output<typeof template>;

/**
 * The known path segments of the templates. The first segment is the specification's, and the second is the live
 * platform's.
 */
const PATH_SEGMENTS = ["platform_ci_ymls", "gitlab_ci_ymls"];

const PROBE: Operation = {
  name: "ciTemplates.list",
  summary: "Whether there are templates under a path segment.",
  section: SECTION,
  method: "GET",
  path: "/templates/:templates_path",
  answer: z.array(entry),
};

/** Returns a better error for a 404: it names the path segment under which the service has templates. */
const otherSegment: Endpoint["explain"] = async (problem, ask) => {
  const { status, operation: name = "", method = "", path = "" } = problem;
  const [, , used = ""] = path.split("/").map(decodeURIComponent);
  /** Returns whether templates exist under a path segment; undefined if the response does not show this. */
  const hasTemplates = async (segment: string): Promise<boolean | undefined> => {
    try {
      await ask(PROBE, { path: { templates_path: segment } });
      return true;
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused;
      return refused.status === 404 ? false : undefined;
    }
  };
  if (status !== 404 || (await hasTemplates(used)) !== false) return undefined;
  for (const segment of PATH_SEGMENTS) {
    if (segment === used || (await hasTemplates(segment)) !== true) continue;
    return new StatusError({
      code: "not_found",
      request: { operation: name, method, path },
      status,
      what: `the service has no templates at "${used}" (404); its templates are at "${segment}", so set templates_path to "${segment}"`,
    });
  }
  return undefined;
};

/**
 * CI/CD templates (specification, "CI/CD YAML templates"). The path of a template contains the segment from the option
 * `templatesPath`.
 */
export const ciTemplates = defineArea("ciTemplates", SECTION, {
  /**
   * Lists all templates. The call needs no token, but fails with `forbidden` for users with at most Guest access. If
   * the configured path segment is wrong, the error `not_found` names the right segment.
   */
  list: listOperation("/templates/:templates_path", {
    summary: "Lists CI/CD YAML templates; no token is needed.",
    answer: entry,
    key: ({ key }) => key,
    explain: otherSegment,
  }),
  /**
   * Reads one template with its content. The call fails with `not_found` for an unknown key, or if the service uses
   * another path segment.
   */
  get: operation("GET /templates/:templates_path/:key", {
    summary: "Reads one template.",
    answer: template,
    explain: otherSegment,
  }),
});
