import * as z from "zod/mini";
import { type CallOptions, listOperation, operation } from "./calls/operation";
import { list } from "./calls/pagination";
import type { Sender } from "./calls/sender";
import { text, textOrNull } from "./fields";

const section = "CI/CD YAML templates";

const entry = z.object({ key: text, name: textOrNull });
const template = z.object({ name: textOrNull, content: text });

/** A template in the list. */
export type CiTemplateEntry = z.output<typeof entry>;
/** A template with its text. */
export type CiTemplate = z.output<typeof template>;

export const ciTemplateOperations = {
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

/** Templates for pipelines (section "CI/CD YAML templates"). `templatesPath` is the service's own word for them. */
export function ciTemplates(sender: Sender, templatesPath: string) {
  const all = ciTemplateOperations;
  const path = { templates_path: templatesPath };
  return {
    /** All templates; works without a token. `forbidden` for a caller who is nowhere more than a guest. */
    list: (options?: CallOptions) => list(sender, all.list, { path }, options),
    /** One template with its text. `not_found` for an unknown key. */
    get: (key: string, options?: CallOptions) => sender.call(all.get, { path: { ...path, key } }, options),
  };
}
