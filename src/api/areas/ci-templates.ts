import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, listOperation, operation } from "../calls/operation";
import type { OperationSender } from "../calls/operation-sender";
import { ApiError, StatusError } from "../errors";
import { text, textOrNull } from "../fields";
import { CLIENT_DEFAULTS, type ClientOptions } from "../options";

const SECTION = "CI/CD YAML templates";

const entry = z.object({ key: text, name: textOrNull });
const template = z.object({ name: textOrNull, content: text });

/** A template in the list. */
export type CiTemplateEntry = z.output<typeof entry>;
/** A template with its content. */
export type CiTemplate = z.output<typeof template>;

const list = listOperation("/templates/:templates_path", {
  summary: "Lists CI/CD YAML templates; no token is needed.",
  answer: entry,
  key: ({ key }) => key,
});

const area = defineArea("ciTemplates", SECTION, {
  list,
  get: operation("GET /templates/:templates_path/:key", { summary: "Reads one template.", answer: template }),
});

/** Known path segments: the specification's neutral one, and that of the live platform. */
const PATH_SEGMENTS = ["platform_ci_ymls", "gitlab_ci_ymls"];

/** After a 404: suggests the other path segment if the service has templates there. */
async function otherSegment(
  sender: OperationSender,
  templatesPath: string,
  { status, operation = "", method = "", path = "" }: StatusError,
): Promise<StatusError | undefined> {
  if (status !== 404 || (await hasTemplates(sender, templatesPath)) !== false) return undefined;
  for (const segment of PATH_SEGMENTS) {
    if (segment === templatesPath || (await hasTemplates(sender, segment)) !== true) continue;
    return new StatusError({
      code: "not_found",
      request: { operation, method, path },
      status,
      what: `the service answered 404 for "${templatesPath}", and has its templates under "${segment}": set templates_path to "${segment}"`,
    });
  }
  return undefined;
}

/** Whether templates exist under a path segment; undefined if the service doesn't tell. */
async function hasTemplates(sender: OperationSender, segment: string): Promise<boolean | undefined> {
  const first = { ...list, name: "ciTemplates.list", section: SECTION };
  try {
    await sender.send(sender.prepare(first, { path: { templates_path: segment } }, {}, { per_page: 1 }));
    return true;
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    return problem.status === 404 ? false : undefined;
  }
}

/** CI/CD templates (section "CI/CD YAML templates"), under the path segment of the options. */
export const ciTemplates = {
  operations: area.operations,
  client: (
    sender: OperationSender,
    { templatesPath = CLIENT_DEFAULTS.templatesPath }: ClientOptions = {},
  ) => {
    const explaining = sender.explaining((problem) => otherSegment(sender, templatesPath, problem));
    const methods = area.client(explaining).ciTemplates;
    return {
      ciTemplates: {
        /**
         * All templates; no token needed. `forbidden` for a caller with at most Guest access; `not_found` names
         * the path segment to configure if the service uses another one.
         */
        list: (options?: CallOptions) => methods.list(templatesPath, options),
        /** One template with its content. `not_found` for an unknown key, or as for the list. */
        get: (key: string, options?: CallOptions) => methods.get(templatesPath, key, options),
      },
    };
  },
};
