import { Reader, Writer } from "protobufjs/minimal";

/** The type of a field. The type of an enum is the list of its names, in the order of their numbers. */
export type FieldType =
  | "string"
  | "bool"
  | "bytes"
  | "int32"
  | "int64"
  | "uint32"
  | readonly string[]
  | AnyMessage;

/**
 * The number of times that a field can occur. An `optional` field is sent even if it is zero, and is undefined if it
 * was not received.
 */
export type Rule = "single" | "optional" | "repeated" | "map";

export type Field = readonly [name: string, number: number, type: FieldType, rule?: Rule];

/** A message to send. An absent field has the zero value of its type. */
export type Sent<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer E)[]
    ? readonly Sent<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: Sent<T[K]> | undefined }
      : T;

type Fields = Readonly<Record<string, unknown>>;

/** A field with the data derived from its declaration. */
interface DeclaredField {
  readonly name: string;
  readonly number: number;
  readonly type: FieldType;
  readonly rule: Rule;
  /** The tag of a value, or of an entry of a map. */
  readonly tag: number;
  /**
   * The value of a field that was not received. Repeated fields and maps do not use this value: they get a new array or
   * object.
   */
  readonly nothing: unknown;
}

/** A codec for messages of any type. The codec skips unknown fields. */
class AnyMessage {
  #fields: readonly DeclaredField[] | undefined;
  #byNumber: readonly (DeclaredField | undefined)[] = [];

  /**
   * @param declare returns the fields. The codec calls this function at first use, so that messages may refer to one
   * another in any order
   */
  constructor(private readonly declare: () => readonly Field[]) {}

  write(value: Fields, writer: Writer): Writer {
    for (const field of this.#declared()) {
      const present = value[field.name];
      if (present !== undefined) writeField(writer, field, present);
    }
    return writer;
  }

  read(reader: Reader, end: number): Fields {
    const value: Record<string, unknown> = {};
    for (const { name, rule, nothing } of this.#declared()) {
      if (rule === "repeated") value[name] = [];
      else value[name] = rule === "map" ? {} : nothing;
    }
    while (reader.pos < end) {
      const tag = reader.uint32();
      const field = this.#byNumber[tag >>> 3];
      if (field === undefined) reader.skipType(tag & 7);
      else readField(reader, field, value);
    }
    return value;
  }

  #declared(): readonly DeclaredField[] {
    if (this.#fields !== undefined) return this.#fields;
    const fields = this.declare().map(([name, number, type, rule = "single"]) => ({
      name,
      number,
      type,
      rule,
      tag: tagOf(number, rule === "map" ? LENGTH_DELIMITED : wireType(type)),
      nothing: rule === "single" && !(type instanceof AnyMessage) ? zero(type) : undefined,
    }));
    const byNumber: (DeclaredField | undefined)[] = [];
    for (const field of fields) byNumber[field.number] = field;
    this.#byNumber = byNumber;
    this.#fields = fields;
    return fields;
  }
}

/** The codec of one message type. */
export class Message<T> extends AnyMessage {
  /** For types only; this property is never set. */
  readonly type?: T;

  encode(value: Sent<T>): Buffer {
    return this.write(value as Fields, Writer.create()).finish() as Buffer;
  }

  decode(bytes: Uint8Array): T {
    const reader = Reader.create(bytes);
    return this.read(reader, reader.len) as T;
  }
}

const WIRE_TYPES: Readonly<Record<string, number>> = {
  string: 2,
  bytes: 2,
  bool: 0,
  int32: 0,
  int64: 0,
  uint32: 0,
};
const LENGTH_DELIMITED = 2;

const wireType = (type: FieldType): number => {
  if (type instanceof AnyMessage) return LENGTH_DELIMITED;
  return typeof type === "string" ? WIRE_TYPES[type]! : 0;
};

function writeField(writer: Writer, { type, rule, tag }: DeclaredField, present: unknown): void {
  if (rule === "map") {
    for (const [key, value] of Object.entries(present as Fields)) {
      writer.uint32(tag).fork().uint32(tagOf(1, LENGTH_DELIMITED)).string(key);
      writeValue(writer, tagOf(2, wireType(type)), type, value);
      writer.ldelim();
    }
  } else if (rule === "repeated") {
    for (const element of present as readonly unknown[]) writeValue(writer, tag, type, element);
  } else if (rule === "optional" || !isZero(type, present)) writeValue(writer, tag, type, present);
}

const tagOf = (number: number, wire: number): number => ((number << 3) | wire) >>> 0;

function isZero(type: FieldType, present: unknown): boolean {
  if (present instanceof Uint8Array) return present.length === 0;
  return Array.isArray(type) ? present === type[0] : present === "" || present === 0 || present === false;
}

function writeValue(writer: Writer, tag: number, type: FieldType, present: unknown): void {
  writer.uint32(tag);
  if (type instanceof AnyMessage) type.write(present as Fields, writer.fork()).ldelim();
  else if (typeof type !== "string") writer.int32(type.indexOf(present as string));
  else writer[type](present as never);
}

function readField(reader: Reader, { name, type, rule }: DeclaredField, into: Record<string, unknown>): void {
  if (rule === "repeated") (into[name] as unknown[]).push(readValue(reader, type));
  else if (rule === "map") readEntry(reader, type, into[name] as Record<string, unknown>);
  else into[name] = readValue(reader, type);
}

function readEntry(reader: Reader, type: FieldType, into: Record<string, unknown>): void {
  const end = reader.uint32() + reader.pos;
  let key = "";
  let value: unknown;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(reader, type);
    else reader.skipType(tag & 7);
  }
  into[key] = value ?? zero(type);
}

function readValue(reader: Reader, type: FieldType): unknown {
  if (type instanceof AnyMessage) {
    const length = reader.uint32();
    return type.read(reader, reader.pos + length);
  }
  if (typeof type !== "string") return type[reader.int32()] ?? type[0];
  // No number in this protocol is larger than 2^53.
  return type === "int64" ? Number(reader.int64()) : reader[type]();
}

const NO_BYTES = new Uint8Array();

function zero(type: FieldType): unknown {
  if (type instanceof AnyMessage) return type.read(Reader.create(NO_BYTES), 0);
  if (typeof type !== "string") return type[0];
  return { string: "", bytes: NO_BYTES, bool: false, int32: 0, int64: 0, uint32: 0 }[type];
}

/** Whether the client and the server send one message or several. */
type MethodKind = "unary" | "server-streaming" | "client-streaming" | "bidirectional-streaming";

/** One procedure of a service, with the codecs of its requests and responses. */
export interface Method<Req, Res, Kind extends MethodKind = MethodKind> {
  readonly kind: Kind;
  readonly path: string;
  readonly requestSerialize: (value: Sent<Req>) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Req;
  readonly responseSerialize: (value: Sent<Res>) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Res;
}

export const method = <Req, Res, Kind extends MethodKind>(
  kind: Kind,
  path: string,
  request: Message<Req>,
  response: Message<Res>,
): Method<Req, Res, Kind> => ({
  kind,
  path,
  requestSerialize: (value) => request.encode(value),
  requestDeserialize: (bytes) => request.decode(bytes),
  responseSerialize: (value) => response.encode(value),
  responseDeserialize: (bytes) => response.decode(bytes),
});
