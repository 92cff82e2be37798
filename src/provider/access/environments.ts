import type { AccessPlace, NotCounted } from "../../framework";
import { isUnknown } from "../../schema";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { environments, foundEnvironment } from "../resources/protected-environment";
import { ATTRIBUTES, entriesOf, type Protection } from "./environment-rules";
import { type Access, hasContent } from "./people";
import { ProjectAccess, type ProjectChanges } from "./project-access";

const TYPE = "protected_environment";

/**
 * Who gains and who loses deployments and approvals in a project: in the environments that the plan changes, and in all
 * environments if it changes who is a member.
 */
export async function environmentPlaces(access: Access, project: ProjectChanges): Promise<AccessPlace[]> {
  const planned = plannedEnvironments(project);
  const isForAll = project.joins.length + project.invites.length > 0;
  if (planned.size === 0 && !isForAll) return [];
  const live = access.collection(project.id, environments);
  const all = isForAll ? await live.all() : undefined;
  const names = [...new Set([...(all?.keys() ?? []), ...planned.keys()])].sort();
  const counted = new ProjectAccess(access, project);
  const arriving = [...project.joins, ...project.invites].map(({ address }) => address);
  const places = await Promise.all(
    names.map(async (name) => {
      const found = all === undefined ? await live.get(name, planned.size) : all.get(name);
      const before = found && foundEnvironment(found);
      const plan = planned.get(name);
      const after = plan === undefined ? before : plan.after(before);
      const addresses = [...(plan?.addresses ?? []), ...arriving];
      return counted.place({ kind: "environment", name }, before, after, addresses, plan?.unknown);
    }),
  );
  if (isForAll) places.push(await counted.place(UNPROTECTED, undefined, undefined, arriving));
  return access.isWhole ? places : places.filter(hasContent);
}

/** All environments of a project without a protection, which have the same rules. */
const UNPROTECTED = { kind: "environments", name: "not protected" };

interface PlannedEnvironment {
  after(before: Protection | undefined): Protection | undefined;
  readonly unknown: readonly NotCounted[];
  readonly addresses: readonly string[];
}

/** The changes of environments by name. What replaces an environment of the same name counts. */
function plannedEnvironments({ id, changes }: ProjectChanges): ReadonlyMap<string, PlannedEnvironment> {
  const planned = new Map<string, PlannedEnvironment>();
  const own = changes.filter(({ type }) => type === TYPE);
  for (const { address, before } of own)
    if (before?.container === id)
      planned.set(String(before.declared["name"]), {
        after: () => undefined,
        unknown: [],
        addresses: [address],
      });
  for (const { address, before: prior, after, unknown, configured, isUnchanged } of own) {
    if (after?.container !== id) continue;
    const { name, deploy_access_levels, approval_rules } = after.declared;
    const addresses = [...new Set([...(planned.get(String(name))?.addresses ?? []), address])];
    if (isUnchanged) {
      planned.set(String(name), { after: (before) => before, unknown: [], addresses });
      continue;
    }
    const isNew = prior === undefined || isUnknown(after.attributes["id"]);
    planned.set(String(name), {
      addresses,
      after: (before) => ({
        deploy_access_levels: asEntries(deploy_access_levels),
        // A new protection has no rules but the declared ones; otherwise rules that are not declared stay.
        approval_rules:
          isNew || configured.has("approval_rules")
            ? asEntries(approval_rules)
            : entriesOf(before, "approve"),
        required_approval_count: isNew ? 0 : (before?.required_approval_count ?? 0),
      }),
      unknown: unknown
        .filter((attribute) => Object.values<string>(ATTRIBUTES).includes(attribute))
        .map((attribute) => ({ what: address, why: `${attribute} is known only after apply` })),
    });
  }
  return planned;
}

const asEntries = (declared: unknown) => (declared ?? []) as readonly DeclaredEntry[];
