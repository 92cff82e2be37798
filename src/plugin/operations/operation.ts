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

/** An answer with the diagnostics as the provider gives them; `answerTo` brings them into the protocol's shape. */
type Answer<Res> = Omit<Sent<Res>, "diagnostics"> & { readonly diagnostics?: readonly Diagnostic[] };

/** What is done for one procedure of the protocol. */
export interface Operation<N extends OperationName> {
  /** The attributes that diagnostics may point at; none where the request is about no declaration. */
  readonly attributes?: (schema: ProviderSchema, request: RequestOf<N>) => Attributes;
  /** May throw a DiagnosticError. */
  answer(
    session: Session,
    request: RequestOf<N>,
    attributes: Attributes,
  ): Answer<ResponseOf<N>> | Promise<Answer<ResponseOf<N>>>;
}

export const operation = <N extends OperationName>(_name: N, described: Operation<N>): Operation<N> =>
  described;

/** The attributes of the resource that a request is about. */
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
    throw new Error(`Terraform asked for ${type}, which is not in the provider's schema.`);
  return schema.attributes;
}

/**
 * Answers one request, at once where nothing has to be waited for. Whatever is thrown becomes a diagnostic: Terraform
 * shows nothing else of it.
 */
export function answerTo<N extends OperationName>(
  { attributes: find, answer }: Operation<N>,
  session: Session,
  request: RequestOf<N>,
): Sent<ResponseOf<N>> | Promise<Sent<ResponseOf<N>>> {
  let attributes: Attributes = {};
  const write = ({ diagnostics = [], ...answered }: Answer<ResponseOf<N>>) =>
    ({
      ...answered,
      diagnostics: diagnostics.map((one) => writeDiagnostic(attributes, session.tellOnce(one))),
    }) as Sent<ResponseOf<N>>;
  const fail = (problem: unknown) =>
    write({ diagnostics: diagnosticsOf(problem) } as unknown as Answer<ResponseOf<N>>);
  try {
    attributes = find?.(session.provider.schema, request) ?? {};
    const answered = answer(session, request, attributes);
    return answered instanceof Promise ? answered.then(write).catch(fail) : write(answered);
  } catch (problem) {
    return fail(problem);
  }
}

/** What a request has to bring. @throws Error where it is missing, which Terraform never leaves out */
export function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Terraform sent no ${what}.`);
  return value;
}
