import type { Diagnostic } from "../../diagnostics";
import type { Attributes, ProviderSchema } from "../../schema";
import type { Sent } from "../messages/codec";
import type { PROVIDER_SERVICE } from "../messages/generated/tfplugin6";
import type { Session } from "../session";
import { diagnosticsOf, writeDiagnostic } from "../values/diagnostics";

type Service = typeof PROVIDER_SERVICE;
export type OperationName = keyof Service;
export type RequestOf<N extends OperationName> = ReturnType<Service[N]["requestDeserialize"]>;
export type ResponseOf<N extends OperationName> = ReturnType<Service[N]["responseDeserialize"]>;

/** A response with the provider's diagnostics; `respond` converts them. */
type OperationResult<Res> = Omit<Sent<Res>, "diagnostics"> & { readonly diagnostics?: readonly Diagnostic[] };

/** The implementation of one procedure of the protocol. */
export interface Operation<N extends OperationName> {
  /** The attributes that diagnostics may point at; undefined if the request is about no declaration. */
  readonly attributes?: (schema: ProviderSchema, request: RequestOf<N>) => Attributes;
  /** May throw a DiagnosticError. */
  handle(
    session: Session,
    request: RequestOf<N>,
    attributes: Attributes,
  ): OperationResult<ResponseOf<N>> | Promise<OperationResult<ResponseOf<N>>>;
}

export const operation = <N extends OperationName>(_name: N, described: Operation<N>): Operation<N> =>
  described;

/** The attributes of the request's resource type. */
export const ofResource = (
  { resources }: ProviderSchema,
  { typeName }: { readonly typeName: string },
): Attributes => attributesOf(resources, typeName);
export const ofDataSource = (
  { dataSources }: ProviderSchema,
  { typeName }: { readonly typeName: string },
): Attributes => attributesOf(dataSources, typeName);
export const ofProvider = ({ provider }: ProviderSchema): Attributes => provider.attributes;

export function attributesOf(schemas: ProviderSchema["resources"], type: string): Attributes {
  const schema = schemas[type];
  if (schema === undefined)
    throw new Error(`Terraform requested ${type}, which is not in the provider's schema.`);
  return schema.attributes;
}

/**
 * Responds to one request, synchronously if possible. Every error becomes a diagnostic: Terraform shows
 * nothing else of it.
 */
export function respond<N extends OperationName>(
  { attributes: find, handle }: Operation<N>,
  session: Session,
  request: RequestOf<N>,
): Sent<ResponseOf<N>> | Promise<Sent<ResponseOf<N>>> {
  let attributes: Attributes = {};
  const write = ({ diagnostics = [], ...answered }: OperationResult<ResponseOf<N>>) =>
    ({
      ...answered,
      diagnostics: diagnostics.map((one) => writeDiagnostic(attributes, session.dedupeCauses(one))),
    }) as Sent<ResponseOf<N>>;
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

/** A required field of a request. @throws Error if it is missing, which Terraform never does */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Terraform sent no ${what}.`);
  return value;
}
