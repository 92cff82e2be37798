import type { AccessHolder, AccessPlace, NotCounted } from "../../framework";
import type { ContainerKind } from "../define";
import type { Invitees } from "./invitees";
import type { AccessScope, People } from "./people";
import { ability, hasContent, levelName } from "./places";

/** Who becomes a member of a project or group, and which pending invitations get another level. */
export async function membershipPlace(
  scope: AccessScope,
  people: People,
  container: { readonly kind: ContainerKind; readonly id: number; readonly name: string },
  { joins, invites, relevels }: Omit<Invitees, "notCounted">,
): Promise<AccessPlace[]> {
  const { kind, id, name } = container;
  const notCounted: NotCounted[] = [];
  const [before, after]: [AccessHolder[], AccessHolder[]] = [[], []];
  for (const { id: user, username, level, customRole, isActive } of joins) {
    try {
      const member = await (kind === "project" ? people.inProject(id, user) : people.inGroup(id, user));
      const holder = { kind: "user", name: username };
      if (!isActive) notCounted.push({ what: username, why: "is blocked" });
      else if (customRole !== undefined)
        notCounted.push({ what: username, why: `gets the custom role ${customRole}` });
      else if (member === undefined || member.level === 0)
        after.push({ ...holder, note: `as ${levelName(level)}` });
      else if (member.level < level)
        after.push({ ...holder, note: `as ${levelName(level)} instead of ${levelName(member.level)}` });
      else if (scope.isWhole) for (const side of [before, after]) side.push(holder);
    } catch (problem) {
      notCounted.push({ what: username, why: scope.reasonOf(problem) });
    }
  }
  for (const { email, level } of invites)
    after.push({ kind: "email", name: email, note: `as ${levelName(level)} once accepted` });
  if (kind === "group" && joins.length > 0)
    notCounted.push({
      what: `projects of ${name} without a change in this plan`,
      why: "their environments are not read, and the memberships are inherited there",
    });
  const rules = relevels.map(({ email, from, level }) => ({
    name: `invitation of ${email}`,
    before: levelName(from),
    after: levelName(level),
  }));
  const abilities = [ability("membership", before, after)];
  const changes = [...joins, ...invites, ...relevels].map(({ address }) => address);
  const place = { container: { kind, name }, abilities, rules, notCounted, changes };
  return scope.isWhole || hasContent(place) ? [place] : [];
}
