import { z } from "zod";
import type { Caller } from "../access/caller";
import { groupsSharedWith, type Share } from "../model/shares";
import type { Database } from "../store/database";

export const sharedGroup = z.object({
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: z.string().nullable(),
});

/** The groups that a project or group is shared with, as one caller may see them. */
export const sharedGroupsOf = (
  database: Database,
  caller: Caller,
  of: Share["of"],
): z.output<typeof sharedGroup>[] =>
  groupsSharedWith(database, caller, of).map(({ group, level, expiresAt }) => ({
    group_id: group.id,
    group_name: group.name,
    group_full_path: group.fullPath,
    group_access_level: level,
    expires_at: expiresAt?.slice(0, 10) ?? null,
  }));
