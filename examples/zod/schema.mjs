// The source of both schemas here:
//   npm install zod@3.25 zod-to-json-schema
//   node schema.mjs > listing.schema.json            (zod-to-json-schema: draft-07)
//   node schema.mjs 4 > listing.zod4.schema.json     (z.toJSONSchema: 2020-12)
import * as z3 from "zod/v3";
import * as z4 from "zod/v4";
import { zodToJsonSchema } from "zod-to-json-schema";

function listing(z) {
  const Money = z.object({ amount: z.number().nonnegative(), currency: z.enum(["EUR", "USD"]) });
  return z.object({
    title: z.string().min(1).describe("As the headline has it"),
    company: z.object({ name: z.string(), site: z.string().url().optional() }).strict(),
    salary: z.object({ from: Money, to: Money.nullable() }).nullable(),
    remote: z.union([z.boolean(), z.literal("hybrid")]).default(false),
    contract: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("permanent"), probationMonths: z.number().int().min(0) }),
      z.object({ kind: z.literal("fixed"), until: z.string().date() }),
    ]),
    skills: z.array(z.string()).min(1),
    languages: z.record(z.string(), z.enum(["basic", "good", "native"])),
    hours: z.tuple([z.number(), z.number()]),
  });
}

const four = process.argv[2] === "4";
const schema = four ? z4.toJSONSchema(listing(z4)) : zodToJsonSchema(listing(z3), "Listing");
console.log(JSON.stringify(schema, null, 2));
