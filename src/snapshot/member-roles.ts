import type { Member } from "../api";
import type { MemberRoleData } from "./fixture-data";
import { roleWord } from "./values";

/** Custom roles of members. A fixture declares each in one top-level group. */
export class MemberRoles {
  readonly #roles = new Map<number, { readonly group: string; readonly data: MemberRoleData }>();

  /** Collects the custom roles that members of a project or group have. */
  collect(path: string, members: readonly Member[] | undefined): void {
    const [top] = path.split("/") as [string];
    for (const { member_role: role } of members ?? []) {
      if (role === null) continue;
      const base = roleWord(role.base_access_level ?? Number.NaN);
      if (base === undefined) continue;
      const known = this.#roles.get(role.id);
      // The same for any order of responses.
      if (known !== undefined && known.group <= top) continue;
      this.#roles.set(role.id, {
        group: top,
        data: { id: role.id, name: role.name ?? String(role.id), base_role: base },
      });
    }
  }

  /** The id of a member's custom role, if the fixture declares it. */
  idOf({ member_role: role }: Member): number | undefined {
    return role !== null && this.#roles.has(role.id) ? role.id : undefined;
  }

  /** The roles that a group declares. */
  of(groupPath: string): readonly MemberRoleData[] {
    return [...this.#roles.values()].filter(({ group }) => group === groupPath).map(({ data }) => data);
  }
}
