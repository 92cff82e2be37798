import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, RawJson } from "../endpoint/endpoint";
import { badRequest, found, HttpError, notFound } from "../http/errors";
import type { Project } from "../model/projects";

/**
 * The number of bytes above which a state is large. The service handles requests with large states one at a time,
 * and does not parse large states to objects.
 */
export const LARGE_STATE = 1_048_576;

const PATH = "/projects/:id/terraform/state/:name";
/** The settings of all endpoints that change states. */
const change = { access: ofProject(LEVEL.maintainer), hasBasicAuth: true, status: 200 };

const name = z
  .string()
  .max(255)
  .regex(/^[\w.-]+$/);
/** The id of the lock, which the holder of the lock sends. */
const ID = z.string().max(255).optional();

type StateCall = Pick<Call<Project, { readonly name: string }>, "database" | "target" | "input">;

/** The texts of a state and of its lock, as the client sent them. */
interface StoredState {
  readonly content: string | null;
  readonly lock: string | null;
}

const findState = ({ database, target, input }: StateCall): StoredState | undefined =>
  database.one(
    "SELECT content, lock FROM terraform_states WHERE project_id = ? AND name = ?",
    target.id,
    input.name,
  );

/** Writes a column of a state if a condition on the text (`?3`) holds. Returns whether the column was written. */
const write = (
  { database, target, input }: StateCall,
  column: keyof StoredState,
  text: string | null,
  condition = "1",
): boolean =>
  database.run(
    `INSERT INTO terraform_states (project_id, name, ${column}) SELECT ?1, ?2, ?3 WHERE ${condition} ` +
      `ON CONFLICT (project_id, name) DO UPDATE SET ${column} = excluded.${column}`,
    target.id,
    input.name,
    text,
  ).changes > 0;

/**
 * Writes a large state. SQLite validates the text without creating an object for each value. SQLite stops at the first
 * NUL, so the function refuses a text with a NUL.
 */
const writeLarge = (call: StateCall, text: string): boolean =>
  !text.includes("\0") && write(call, "content", text, "json_valid(?3) AND json_type(?3) = 'object'");

const idOf = (lock: string): unknown => (JSON.parse(lock) as { ID?: unknown }).ID;

function requireHolder(lock: string | null | undefined, id: string | undefined): void {
  if (typeof lock === "string" && idOf(lock) !== id) throw locked(lock);
}

/** Returns a 409 with the lock in the body, from which Terraform reads the holder. */
const locked = (lock: string): HttpError =>
  new HttpError(409, { ...(JSON.parse(lock) as object), message: "409 The state is locked" });

export const terraformStateEndpoints = inSection("settled: states of Terraform, for tests and for trying", [
  endpoint({
    route: `GET ${PATH}`,
    summary: "A state, byte for byte as it was saved",
    access: ofProject(LEVEL.developer),
    hasBasicAuth: true,
    input: { name },
    answer: z.record(z.string(), z.unknown()).meta({ id: "TerraformState" }),
    handle: (call) => new RawJson(found(findState(call)?.content ?? undefined, "State")),
  }),
  endpoint({
    route: `POST ${PATH}`,
    summary: "Save a state; 409 unless the caller holds its lock or it is unlocked",
    ...change,
    hasStateBody: true,
    input: { name, ID },
    handle: (call) => {
      const { input, text } = call;
      if (text === "") throw badRequest("The body must be a state, as JSON");
      requireHolder(findState(call)?.lock, input.ID);
      // The server has already parsed a smaller state, so its text is valid JSON.
      const isWritten = text.length <= LARGE_STATE ? write(call, "content", text) : writeLarge(call, text);
      if (!isWritten) {
        throw badRequest("The body is not a JSON object, or it is large and nested deeper than 1000 levels");
      }
    },
  }),
  endpoint({
    route: `DELETE ${PATH}`,
    summary: "Delete a state",
    ...change,
    input: { name, ID },
    handle: (call) => {
      const { database, target, input } = call;
      requireHolder(findState(call)?.lock, input.ID);
      database.run("DELETE FROM terraform_states WHERE project_id = ? AND name = ?", target.id, input.name);
    },
  }),
  endpoint({
    route: `POST ${PATH}/lock`,
    summary: "Lock a state; 409 with the existing lock if it is locked",
    ...change,
    input: { name, ID: z.string().min(1).max(255) },
    handle: (call) => {
      const { input, text } = call;
      const held = findState(call)?.lock;
      if (typeof held === "string") throw locked(held);
      const lock = text === "" ? JSON.stringify({ ID: input.ID }) : text;
      // An id that is only in the query would not be stored, so the lock could not be released.
      if (idOf(lock) !== input.ID) throw badRequest("ID is missing");
      write(call, "lock", lock);
    },
  }),
  endpoint({
    route: `DELETE ${PATH}/lock`,
    summary: "Unlock a state; 409 for the ID of another lock; without an ID the lock is removed by force",
    ...change,
    input: { name, ID },
    handle: (call) => {
      const held = findState(call)?.lock;
      if (typeof held !== "string") throw notFound("Lock");
      // `terraform force-unlock` sends neither the lock nor its ID.
      if (call.input.ID !== undefined) requireHolder(held, call.input.ID);
      write(call, "lock", null);
    },
  }),
]);
