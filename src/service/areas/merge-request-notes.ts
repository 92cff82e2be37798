import { z } from "zod";
import { LEVEL, roleIn } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, found } from "../http/errors";
import { id } from "../http/parameters";
import type { Project } from "../model/projects";
import { basicUser, withAuthor } from "../model/users";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where } from "../store/selection";
import { iid, named, PATH } from "./merge-requests";

/** The maximum number of characters of a comment, as on the platform. */
const MAX_NOTE = 1_000_000;

const note = z
  .object({
    id: z.int(),
    body: z.string(),
    author: basicUser,
    system: z.literal(false),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Note" });

type NoteRow = Omit<z.output<typeof note>, "author" | "system"> & { readonly author_id: number };

const noteLoader = (database: Database, origin: string) =>
  loadInOrder(
    database,
    "SELECT id, author_id, body, created_at, updated_at FROM notes",
    "id",
    (row: NoteRow) => withAuthor(database, origin, { ...row, system: false as const }),
  );

/**
 * Returns the comment of a merge request that the path of a request names.
 *
 * @throws HttpError 404
 */
export function namedNote(call: Call<Project, { merge_request_iid: number; note_id: number }>) {
  const sql = "SELECT id, author_id FROM notes WHERE id = ? AND merge_request_id = ?";
  return found(call.database.one<NoteRow>(sql, call.input.note_id, named(call).id), "Note");
}

/** Refuses all users except the author of a comment and Maintainers. @throws HttpError 403 */
function requireAuthor({ database, caller, target }: Call<Project, unknown>, known: NoteRow): void {
  const isOwn = known.author_id === caller.user!.id;
  if (!isOwn && roleIn(database, caller, target) < LEVEL.maintainer) throw forbidden();
}

const body = () => z.string().min(1).max(MAX_NOTE);

export const mergeRequestNoteEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  listEndpoint({
    route: `GET ${PATH}/notes`,
    summary: "The comments of a merge request, the last one first",
    access: ofProject(LEVEL.none),
    input: iid,
    entry: note,
    handle: (call) => ({
      key: "n.id",
      from: "notes n",
      where: [where("n.merge_request_id = ?", named(call).id)],
      isDescending: true,
      load: noteLoader(call.database, call.origin),
    }),
  }),
  endpoint({
    route: `POST ${PATH}/notes`,
    summary: "Comment on a merge request",
    access: ofProject(LEVEL.reporter),
    input: { ...iid, body: body() },
    answer: note,
    handle: (call) => {
      const { database, caller, input, origin } = call;
      const at = now();
      const noteId = insert(database, "notes", {
        merge_request_id: named(call).id,
        author_id: caller.user!.id,
        body: input.body,
        created_at: at,
        updated_at: at,
      });
      return noteLoader(database, origin)([noteId])[0]!;
    },
  }),
  endpoint({
    route: `PUT ${PATH}/notes/:note_id`,
    summary: "Edit a comment of one's own, or as Maintainer any",
    access: ofProject(LEVEL.reporter),
    input: { ...iid, note_id: id(), body: body() },
    answer: note,
    handle: (call) => {
      const { database, input, origin } = call;
      const known = namedNote(call);
      requireAuthor(call, known);
      update(database, "notes", known.id, { body: input.body, updated_at: now() });
      return noteLoader(database, origin)([known.id])[0]!;
    },
  }),
  endpoint({
    route: `DELETE ${PATH}/notes/:note_id`,
    summary: "Delete a comment of one's own, or as Maintainer any",
    access: ofProject(LEVEL.reporter),
    input: { ...iid, note_id: id() },
    handle: (call) => {
      const known = namedNote(call);
      requireAuthor(call, known);
      call.database.run("DELETE FROM notes WHERE id = ?", known.id);
    },
  }),
]);
