// Stories about what plans report: access, rights and requests.
import { each, forEach, KINDS, type Rules } from "./rules";

const DESCRIBED = "plan: described; apply: described";
const BY_MAINTAINER = "plan: described, as maintainer; apply: as maintainer";

/**
 * Rules for access that two stacks give together. One stack invites a person to a group, and an environment in another
 * stack lets this group deploy.
 */
const JOINT_ACCESS: Rules = forEach(
  [
    { MEMBERS: "a", RULES: "b" },
    { MEMBERS: "b", RULES: "a" },
    { MEMBERS: "a", RULES: "a" },
  ],
  {
    "a plan counts who can deploy over an invitation to a group in stack MEMBERS and a rule for that group in stack RULES":
      "stacks a b; declare other scope in api in stack a; declare more rule in api in stack b; " +
      "declare guest group_invitation eve@example.com in approvers in stack MEMBERS; " +
      "declare deploy environment with 3 in stack RULES; plan: described; apply; plan: described; drop guest; " +
      "plan: described; apply",
  },
);

/** The stories about access and accepted values that `npm test` plays. */
export const CODE_AND_REPORTS: Rules = {
  ...JOINT_ACCESS,
  ...each("KIND", ["environment", "rule", "entry", "pages", "invitation"], {
    "the access of KIND is reported as not counted if its type does not declare its access":
      "access of KIND is not declared; declare one KIND; declare other scope in api; plan: described; apply; " +
      "content one 2; retarget one 1; plan: described; apply; drop one; plan: described",
  }),
  ...forEach(
    [
      { KIND: "environment", BEFORE: 2, AFTER: 3 },
      { KIND: "environment", BEFORE: 1, AFTER: 2 },
      { KIND: "rule", BEFORE: 0, AFTER: 1 },
      { KIND: "list", BEFORE: 9, AFTER: 14 },
      { KIND: "scope", BEFORE: 1, AFTER: 0 },
    ],
    {
      "a live value of KIND is accepted into a file of one line, from content BEFORE to AFTER":
        "declare one KIND with BEFORE; declare other rule in api; apply; hand change KIND with AFTER; drift",
    },
  ),
};

export const REPORTS: Rules = {
  ...CODE_AND_REPORTS,
  "a plan of two stacks counts who can deploy without the protection that another environment replaces":
    "stacks a b; declare one environment staging in api with 0; apply; retarget one 0; plan: described",
  ...each("NTH", [4, 8], {
    "a drift names each list that its token may not read (GET NTH)":
      "declare one invitation in api with 0; drift: GET NTH: 403, described",
  }),
  ...forEach(
    [
      { BEFORE: 5, AFTER: 15 },
      { BEFORE: 15, AFTER: 1 },
      { BEFORE: 3, AFTER: 12 },
    ],
    {
      "a plan shows whose job tokens get access when a list changes from content BEFORE to AFTER": `declare limit scope; declare all list with BEFORE; apply; content all AFTER; ${DESCRIBED}`,
    },
  ),
  "a plan shows that a whole list removes manual entries": `declare limit scope; apply; hand add entry runner with 0; declare all list; ${DESCRIBED}`,
  "a plan shows that entries of a list stay if they become single declarations": `declare limit scope; declare all list with 7; apply; single web a; ${DESCRIBED}`,
  "a plan shows that entries stay if they become a whole list":
    "declare limit scope; declare one entry with 0; declare two group_entry with 0; apply; whole web a; " +
    DESCRIBED,
  ...forEach(
    [0, 1, 2, 3].map((content) => ({ FIRST: content, SECOND: content + 1, THIRD: content + 2 })),
    {
      "a plan shows who deploys to and approves an environment of content FIRST, before and after":
        `declare one environment with FIRST; ${DESCRIBED}; content one SECOND; ${DESCRIBED}; ` +
        `hand change environment with THIRD; ${DESCRIBED}`,
    },
  ),
  ...each("KIND", ["environment", "rule", "entry", "invitation"], {
    "a replacement of KIND sends the requests of its plan": `declare one KIND; apply; retarget one 1; ${DESCRIBED}; drop one; ${DESCRIBED}`,
  }),
  ...each("KIND", KINDS, {
    "a requested replacement of KIND sends the requests of its plan":
      "declare one KIND with 7; apply; apply: --replace one, described",
  }),
  // `group_entry` is left out: in the list of groups, a maintainer does not see every group.
  ...each(
    "KIND",
    KINDS.filter((kind) => kind !== "group_entry"),
    {
      "a plan says whether a maintainer may create, change and delete KIND, and the apply is refused only then":
        `declare one KIND; ${BY_MAINTAINER}; apply; content one 0; ${BY_MAINTAINER}; apply; ` +
        `drop one; ${BY_MAINTAINER}`,
    },
  ),
};
