import type { ValueObject } from "../../schema";
import type { Stays } from "../definition/abilities";
import type { ResourceDefinition } from "../definition/definition";
import type { Deletion } from "../ownership/held-objects";
import { shareOf } from "../ownership/ownership";
import type { PlanDestroyRequest, PlanDestroyResponse } from "../protocol/protocol";
import { identified } from "./identify";
import type { Session } from "./session";
import { sharesOf } from "./shares-of";

/** The parts of an object to be destroyed that stay declared elsewhere, as far as the run knows. */
export async function keptParts(
  definition: ResourceDefinition,
  session: Session,
  { prior, address }: Pick<PlanDestroyRequest, "prior" | "address">,
): Promise<Omit<PlanDestroyResponse, "diagnostics">> {
  const { holdings } = session;
  const shares = await sharesOf(definition, session, prior, "takes");
  const [own] = shares;
  if (own === undefined) return {};
  const object = String(prior.attributes["id"]);
  const ending: Deletion = { type: session.typeOf(definition), address, object };
  const entries = shares.filter((share) => share === own || share.entry !== undefined);
  const [keptBy] = entries.flatMap((share) => holdings.keepers(share, ending));
  if (keptBy !== undefined) return { keptBy };
  const deleted = definition.owns?.deleted;
  if (deleted === undefined) return {};
  const adoptedBy = new Set<string>();
  const left = await identified(definition, session, prior, (declared, { container }): ValueObject => {
    const stays: Stays = (claim) => {
      const keepers = holdings.keepers(shareOf(claim, `${definition.container} ${container}`), ending);
      for (const keeper of keepers) adoptedBy.add(keeper);
      return keepers.length > 0;
    };
    return deleted(declared, prior.attributes, stays);
  });
  const [first] = adoptedBy;
  if (first === undefined) return {};
  const isAllKept = Object.values(left).every((value) => !Array.isArray(value) || value.length === 0);
  return { ...(isAllKept ? { keptBy: first } : { leaves: left }), adoptedBy: [...adoptedBy] };
}
