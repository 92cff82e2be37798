import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, listOperation, operation } from "../calls/operation";
import { list } from "../calls/pagination";
import type { Sender } from "../calls/sender";
import { CLIENT_DEFAULTS } from "../defaults";
import { ApiError, StatusError } from "../errors";
import { text, textOrNull } from "../fields";

const section = "CI/CD YAML templates";

const entry = z.object({ key: text, name: textOrNull });
const template = z.object({ name: textOrNull, content: text });

/** A template in the list. */
export type CiTemplateEntry = z.output<typeof entry>;
/** A template with its text. */
export type CiTemplate = z.output<typeof template>;

const operations = {
  list: listOperation({
    name: "ciTemplates.list",
    summary: "Lists CI/CD YAML templates; no token is needed.",
    section,
    method: "GET",
    path: "/templates/:templates_path",
    answer: entry,
    pagination: "offset",
    key: ({ key }) => key,
  }),
  get: operation({
    name: "ciTemplates.get",
    summary: "Reads one template.",
    section,
    method: "GET",
    path: "/templates/:templates_path/:key",
    answer: template,
  }),
} as const;

/** The words that services are known to have: the specification's neutral one, and that of the live platform. */
const WORDS = ["platform_ci_ymls", "gitlab_ci_ymls"];

/** Templates for pipelines (section "CI/CD YAML templates"). `templatesPath` is the service's own word for them. */
function methods(sender: Sender, templatesPath: string) {
  const all = operations;
  const path = { templates_path: templatesPath };
  const explaining = sender.explaining((problem) => otherWord(sender, templatesPath, problem));
  return {
    /**
     * All templates; works without a token. `forbidden` for a caller who is nowhere more than a guest;
     * `not_found` tells the word to set where the service has them under another one.
     */
    list: (options?: CallOptions) => list(explaining, all.list, { path }, options),
    /** One template with its text. `not_found` for an unknown key, or as for the list. */
    get: (key: string, options?: CallOptions) =>
      explaining.call(all.get, { path: { ...path, key } }, options),
  };
}

/** After a 404: where the service has no templates under the configured word, and has them under another. */
async function otherWord(
  sender: Sender,
  templatesPath: string,
  { status, operation = "", method = "", path = "" }: StatusError,
): Promise<StatusError | undefined> {
  if (status !== 404 || (await hasTemplates(sender, templatesPath)) !== false) return undefined;
  for (const word of WORDS) {
    if (word === templatesPath || (await hasTemplates(sender, word)) !== true) continue;
    return new StatusError({
      code: "not_found",
      request: { operation, method, path },
      status,
      what: `the service answered 404 for "${templatesPath}", and has its templates under "${word}": set templates_path to "${word}"`,
    });
  }
  return undefined;
}

/** Whether there are templates under a word; nothing where the service says neither. */
async function hasTemplates(sender: Sender, word: string): Promise<boolean | undefined> {
  const path = { templates_path: word };
  try {
    await sender.send(sender.prepare(operations.list, { path }, {}, { per_page: 1 }));
    return true;
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    return problem.status === 404 ? false : undefined;
  }
}

export const ciTemplates = defineArea({
  operations: Object.values(operations),
  client: (sender, { templatesPath = CLIENT_DEFAULTS.templatesPath }) => ({
    ciTemplates: methods(sender, templatesPath),
  }),
});
