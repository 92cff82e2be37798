import { z } from "zod";
import { VISIBILITIES } from "../access/visibility";
import type { Group } from "../model/groups";
import { sharedGroup } from "./shares";
import { groupWebAddress } from "./web-urls";

export const groupRecord = z
  .object({
    id: z.int(),
    web_url: z.string(),
    name: z.string(),
    path: z.string(),
    description: z.string().nullable(),
    visibility: z.enum(VISIBILITIES),
    full_name: z.string(),
    full_path: z.string(),
    created_at: z.iso.datetime(),
    parent_id: z.int().nullable(),
    avatar_url: z.string().nullable(),
    shared_with_groups: z.array(sharedGroup).optional(),
  })
  .meta({ id: "Group" });

export const toGroup = (group: Group, origin: string): z.output<typeof groupRecord> => ({
  id: group.id,
  web_url: groupWebAddress(origin, group.fullPath),
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  full_name: group.name,
  full_path: group.fullPath,
  created_at: group.createdAt,
  parent_id: group.parentId,
  avatar_url: null,
});
