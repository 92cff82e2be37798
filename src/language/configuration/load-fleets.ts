import * as z from "zod/mini";
import { type JsonObject, malformed } from "./blocks";
import type { FleetDeclaration } from "./model";

const text = z.optional(z.string());
const texts = z.array(z.string());

const fleet = z.object({
  path: z.string(),
  members: z.string(),
  onLeave: z.enum(["keep", "reset"]),
  selection: z.optional(
    z.object({
      ...{ kind: z.string(), within: z.object({ kind: z.string(), name: z.string() }) },
      ...{ nested: z.boolean(), labels: texts, except: texts },
    }),
  ),
  layers: z.array(
    z.object({
      ...{ where: z.string(), position: text, reason: text, owner: text, until: text },
      settings: z.array(
        z.object({
          ...{ type: z.string(), key: text, attribute: text, position: text },
          dropped: z.optional(z.literal(true)),
        }),
      ),
    }),
  ),
});

/** Loads the fleets that constructs note in cdktf's metadata of the stack. */
export function loadFleets(
  { fleets }: { readonly fleets: Map<string, FleetDeclaration> },
  json: JsonObject,
): void {
  const comment = json["//"] as { metadata?: { fleets?: object } } | undefined;
  for (const [name, noted] of Object.entries(comment?.metadata?.fleets ?? {})) {
    const { data } = fleet.safeParse(noted);
    if (data === undefined) malformed(`The fleet ${name}`, "its metadata is damaged; run synth again");
    fleets.set(name, data);
  }
}

/** The fleet of a block, as its construct notes it. */
export function fleetOf(body: JsonObject): string | undefined {
  const name = (body["//"] as { fleet?: unknown } | undefined)?.fleet;
  return typeof name === "string" ? name : undefined;
}
