import type { Diagnostic } from "../../diagnostics";
import type { Attributes, IdentitySchema, ProviderSchema, ValueObject } from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages, PROVIDER_SERVICE } from "../messages/generated/tfplugin6";
import type { Session } from "../session";
import { diagnosticsOf, writeDiagnostic } from "../values/diagnostics";
import { readObject } from "../values/wire-value";

type Service = typeof PROVIDER_SERVICE;
export type ProcedureName = keyof Service;
type NamesOf<Kind> = {
  [N in ProcedureName]: Service[N] extends { readonly kind: Kind } ? N : never;
}[ProcedureName];
/** The procedures with one request and one response. */
export type OperationName = NamesOf<"unary">;
/** The procedures with one request and any number of responses. */
export type StreamName = NamesOf<"server-streaming">;
export type RequestOf<N extends ProcedureName> = ReturnType<Service[N]["requestDeserialize"]>;
export type ResponseOf<N extends ProcedureName> = ReturnType<Service[N]["responseDeserialize"]>;

/** A response with the provider's diagnostics, which `respond` converts. */
type OperationResult<Res> = Omit<Sent<Res>, "diagnostics"> & { readonly diagnostics?: readonly Diagnostic[] };

/** The implementation of one procedure of the protocol. */
export interface Operation<N extends OperationName> {
  /** Returns the attributes that diagnostics can point at; undefined if the request concerns no declaration. */
  readonly attributes?: (schema: ProviderSchema, request: RequestOf<N>) => Attributes;
  /** Returns the response to a request. May throw a DiagnosticError. */
  handle(
    session: Session,
    request: RequestOf<N>,
    attributes: Attributes,
  ): OperationResult<ResponseOf<N>> | Promise<OperationResult<ResponseOf<N>>>;
}

export const operation = <N extends OperationName>(_name: N, described: Operation<N>): Operation<N> =>
  described;

/** The implementation of a procedure with any number of responses. */
export interface Streaming<N extends StreamName> {
  /** Returns the attributes that diagnostics can point at; undefined if the request concerns no declaration. */
  readonly attributes?: (schema: ProviderSchema, request: RequestOf<N>) => Attributes;
  /**
   * Yields the responses to a request. May throw a DiagnosticError, before or between the responses.
   * @param signal aborts when the client cancels or disconnects
   */
  handle(
    session: Session,
    request: RequestOf<N>,
    attributes: Attributes,
    signal: AbortSignal,
  ): AsyncIterable<Sent<ResponseOf<N>>>;
  /** Returns the last response, which reports a thrown error. */
  report(diagnostics: readonly Sent<Messages["Diagnostic"]>[]): Sent<ResponseOf<N>>;
}

export const streaming = <N extends StreamName>(_name: N, described: Streaming<N>): Streaming<N> => described;

/** Returns a function that returns the attributes of the type that a request names. */
const ofType =
  (kind: "resources" | "dataSources" | "listResources") =>
  (schema: ProviderSchema, { typeName }: { readonly typeName: string }): Attributes =>
    attributesOf(schema[kind] ?? {}, typeName);
export const ofResource = ofType("resources");
export const ofDataSource = ofType("dataSources");
export const ofListResource = ofType("listResources");
export const ofProvider = ({ provider }: ProviderSchema): Attributes => provider.attributes;

export function attributesOf(schemas: ProviderSchema["resources"], type: string): Attributes {
  const schema = schemas[type];
  if (schema === undefined)
    throw new Error(`Terraform requested ${type}, which is not in the provider's schema.`);
  return schema.attributes;
}

/** Returns the identity schema of a resource type; undefined if the type has none. */
export const identityOf = ({ provider }: Session, type: string): IdentitySchema | undefined =>
  provider.schema.resources[type]?.identity;

/**
 * Responds to one request, synchronously if possible. Every error becomes a diagnostic, because Terraform shows no other details
 * of an error.
 */
export function respond<N extends OperationName>(
  { attributes: find, handle }: Operation<N>,
  session: Session,
  request: RequestOf<N>,
): Sent<ResponseOf<N>> | Promise<Sent<ResponseOf<N>>> {
  let attributes: Attributes = {};
  const write = (result: OperationResult<ResponseOf<N>>) => {
    const { diagnostics } = result;
    if (diagnostics === undefined || diagnostics.length === 0) return result as Sent<ResponseOf<N>>;
    const written = diagnostics.map((one) => writeDiagnostic(attributes, session.dedupeCauses(one)));
    return { ...result, diagnostics: written } as Sent<ResponseOf<N>>;
  };
  const fail = (problem: unknown) =>
    write({ diagnostics: diagnosticsOf(problem) } as unknown as OperationResult<ResponseOf<N>>);
  try {
    attributes = find?.(session.provider.schema, request) ?? {};
    const answered = handle(session, request, attributes);
    return answered instanceof Promise ? answered.then(write).catch(fail) : write(answered);
  } catch (problem) {
    return fail(problem);
  }
}

/** Responds to one request with any number of messages. A thrown error becomes the last message. */
export async function* respondAll<N extends StreamName>(
  { attributes: find, handle, report }: Streaming<N>,
  session: Session,
  request: RequestOf<N>,
  signal: AbortSignal,
): AsyncIterable<Sent<ResponseOf<N>>> {
  let attributes: Attributes = {};
  try {
    attributes = find?.(session.provider.schema, request) ?? {};
    yield* handle(session, request, attributes, signal);
  } catch (problem) {
    yield report(diagnosticsOf(problem).map((one) => writeDiagnostic(attributes, session.dedupeCauses(one))));
  }
}

/** Returns the configuration in a request. @throws Error if it is missing, DiagnosticError like `readObject` */
export const configurationIn = (
  attributes: Attributes,
  { config }: { readonly config: Messages["DynamicValue"] | undefined },
): ValueObject => required(readObject(attributes, config), "configuration");

/**
 * Returns a required field of a request.
 *
 * @throws Error if the field is missing; Terraform always sends it
 */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Terraform sent no ${what}.`);
  return value;
}
