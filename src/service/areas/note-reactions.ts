import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found, notFound, unauthorized } from "../http/errors";
import { id } from "../http/parameters";
import { basicUser, toBasicUser, userById } from "../model/users";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where } from "../store/selection";
import { namedNote } from "./merge-request-notes";
import { iid, PATH } from "./merge-requests";

const reaction = z
  .object({
    id: z.int(),
    name: z.string(),
    user: basicUser,
    created_at: z.iso.datetime(),
    awardable_id: z.int(),
    awardable_type: z.literal("Note"),
  })
  .meta({ id: "Reaction" });

interface ReactionRow {
  readonly id: number;
  readonly note_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly created_at: string;
}

const reactionLoader = (database: Database, origin: string) =>
  loadInOrder(
    database,
    "SELECT id, note_id, user_id, name, created_at FROM note_reactions",
    "id",
    ({ note_id, user_id, ...row }: ReactionRow) => ({
      ...row,
      user: toBasicUser(userById(database, user_id)!, origin),
      awardable_id: note_id,
      awardable_type: "Note" as const,
    }),
  );

const REACTIONS = `${PATH}/notes/:note_id/award_emoji`;
const note = { ...iid, note_id: id() };

/** Reactions to comments (https://docs.gitlab.com/api/emoji_reactions/). */
export const noteReactionEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  listEndpoint({
    route: `GET ${REACTIONS}`,
    summary: "The reactions to a comment of a merge request",
    access: ofProject(LEVEL.none),
    input: note,
    entry: reaction,
    handle: (call) => ({
      key: "r.id",
      from: "note_reactions r",
      where: [where("r.note_id = ?", namedNote(call).id)],
      load: reactionLoader(call.database, call.origin),
    }),
  }),
  endpoint({
    route: `POST ${REACTIONS}`,
    summary: "React to a comment of a merge request, once with each emoji",
    access: ofProject(LEVEL.reporter),
    input: { ...note, name: z.string().min(1) },
    answer: reaction,
    handle: (call) => {
      const { database, caller, input, origin } = call;
      const { id: note_id } = namedNote(call);
      const user_id = caller.user!.id;
      const sql = "SELECT 1 FROM note_reactions WHERE note_id = ? AND user_id = ? AND name = ?";
      if (database.one(sql, note_id, user_id, input.name) !== undefined) throw notFound("Award Emoji");
      const created_at = now();
      const newId = insert(database, "note_reactions", { note_id, user_id, name: input.name, created_at });
      // As on the platform, a reaction changes the time of the last update of the comment.
      update(database, "notes", note_id, { updated_at: created_at });
      return reactionLoader(database, origin)([newId])[0]!;
    },
  }),
  endpoint({
    route: `DELETE ${REACTIONS}/:award_id`,
    summary: "Remove a reaction of one's own, or as administrator any",
    access: ofProject(LEVEL.reporter),
    input: { ...note, award_id: id() },
    handle: (call) => {
      const { database, caller, input } = call;
      const sql = "SELECT id, user_id FROM note_reactions WHERE id = ? AND note_id = ?";
      const known = found(database.one<ReactionRow>(sql, input.award_id, namedNote(call).id), "Award Emoji");
      if (known.user_id !== caller.user!.id && caller.user!.is_admin !== 1) throw unauthorized();
      database.run("DELETE FROM note_reactions WHERE id = ?", known.id);
    },
  }),
]);
