import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, RawJson } from "../endpoint/endpoint";
import { badRequest, found, HttpError, notFound } from "../http/errors";
import { findState, removeState, saveContent, saveLock } from "../model/terraform-states";

const PATH = "/projects/:id/terraform/state/:name";
/** What all changes of states have in common. */
const change = { access: ofProject(LEVEL.maintainer), hasBasicAuth: true, status: 200 };

const name = z
  .string()
  .max(255)
  .regex(/^[\w.-]+$/);
/** Id of the lock, sent by its holder. */
const ID = z.string().max(255).optional();

const idOf = (lock: string): unknown => (JSON.parse(lock) as { ID?: unknown }).ID;

function requireHolder(lock: string | null | undefined, id: string | undefined): void {
  if (typeof lock === "string" && idOf(lock) !== id) throw locked(lock);
}

/** 409 with the lock in the body, from which Terraform reads the holder. */
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
    handle: ({ database, target, input }) =>
      new RawJson(found(findState(database, target.id, input.name)?.content ?? undefined, "State")),
  }),
  endpoint({
    route: `POST ${PATH}`,
    summary: "Save a state; 409 unless the caller holds its lock or it is unlocked",
    ...change,
    hasStateBody: true,
    input: { name, ID },
    handle: ({ database, target, input, text }) => {
      if (text === "") throw badRequest("The body must be a state, as JSON");
      requireHolder(findState(database, target.id, input.name)?.lock, input.ID);
      saveContent(database, target.id, input.name, text);
    },
  }),
  endpoint({
    route: `DELETE ${PATH}`,
    summary: "Delete a state",
    ...change,
    input: { name, ID },
    handle: ({ database, target, input }) => {
      requireHolder(findState(database, target.id, input.name)?.lock, input.ID);
      removeState(database, target.id, input.name);
    },
  }),
  endpoint({
    route: `POST ${PATH}/lock`,
    summary: "Lock a state; 409 with the existing lock if it is locked",
    ...change,
    input: { name, ID: z.string().min(1).max(255) },
    handle: ({ database, target, input, text }) => {
      const held = findState(database, target.id, input.name)?.lock;
      if (typeof held === "string") throw locked(held);
      const lock = text === "" ? JSON.stringify({ ID: input.ID }) : text;
      // An id in the query only would not be stored, so the lock could not be released.
      if (idOf(lock) !== input.ID) throw badRequest("ID is missing");
      saveLock(database, target.id, input.name, lock);
    },
  }),
  endpoint({
    route: `DELETE ${PATH}/lock`,
    summary: "Unlock a state; 409 for the ID of another lock; without an ID the lock is removed by force",
    ...change,
    input: { name, ID },
    handle: ({ database, target, input }) => {
      const held = findState(database, target.id, input.name)?.lock;
      if (typeof held !== "string") throw notFound("Lock");
      // `terraform force-unlock` sends neither the lock nor its ID.
      if (input.ID !== undefined) requireHolder(held, input.ID);
      saveLock(database, target.id, input.name, null);
    },
  }),
]);
