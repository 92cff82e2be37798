import { z } from "zod";
import { LEVEL } from "../access/levels";
import { ofGroup } from "../endpoint/authorization";
import { inSection, listEndpoint } from "../endpoint/endpoint";
import { refused } from "../http/errors";
import { searchUsers, selectUsers, stateFilters } from "../model/users";
import { enterpriseUser, toEnterpriseUser } from "../records/users";
import { where, whereGiven } from "../store/selection";

/** A timestamp with an offset, such as `2026-01-31T10:00:00Z`. */
const moment = () => z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const listEnterpriseUsers = listEndpoint({
  method: "GET",
  path: "/groups/:id/enterprise_users",
  summary: "Enterprise users of a top-level group",
  access: ofGroup(LEVEL.owner),
  input: {
    username: z.string().optional(),
    search: z.string().optional(),
    active: z.boolean().optional(),
    blocked: z.boolean().optional(),
    created_after: moment().optional(),
    created_before: moment().optional(),
    two_factor: z.enum(["enabled", "disabled"]).optional(),
  },
  entry: enterpriseUser,
  handle: ({ database, target, input, origin }) => {
    if (target.parentId !== null) throw refused(400, "Must be a top-level group");
    return selectUsers(
      database,
      [
        where("u.enterprise_group_id = ?", target.id),
        ...whereGiven(input.username, (username) => where("u.username = ?", username)),
        ...whereGiven(input.search, searchUsers(true)),
        ...stateFilters(input),
        ...whereGiven(input.created_after, (after) => where("u.created_at >= ?", after)),
        ...whereGiven(input.created_before, (before) => where("u.created_at <= ?", before)),
        ...whereGiven(input.two_factor, (word) => where("u.two_factor_enabled = ?", word === "enabled")),
      ],
      (user) => toEnterpriseUser(database, user, origin),
    );
  },
});

export const enterpriseUserEndpoints = inSection("Enterprise users", [listEnterpriseUsers]);
