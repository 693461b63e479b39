// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.ServerFile;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.file.tree.Mistake;
import io.longhaul.file.tree.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The operations of a document are tools, as an author would write them. */
class ApiToolsTest {

    private static final String HEAD = """
        openapi: 3.0.3
        servers: [{url: "https://{host}/v1/", variables: {host: {default: api.example.com}}}]
        """;
    private static final String PETS = HEAD + """
        components:
          securitySchemes:
            key: {type: apiKey, in: query, name: api_key}
            jar: {type: apiKey, in: cookie, name: sid}
            login: {type: http, scheme: basic}
            token: {type: oauth2, flows: {}}
          schemas:
            Pet:
              type: object
              required: [id, name]
              properties:
                id: {type: integer, readOnly: true}
                name: {type: string, example: Rex}
                parent: {$ref: '#/components/schemas/Pet'}
                weight: {type: number, minimum: 0, exclusiveMinimum: true, nullable: true}
        security: [{login: []}]
        paths:
          /pets/{petId}:
            parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
            put:
              operationId: pets/update
              summary: Changes a pet
              description: Changes a pet, and tells its owner.
              parameters:
                - {name: dry-run, in: query, description: Changes nothing., schema: {type: boolean, default: false}}
                - {name: 'tags[]', in: query, explode: false, schema: {type: array, items: {type: string}}}
                - {name: X-Why, in: header, schema: {type: string}}
                - {name: seen, in: cookie, schema: {type: string}}
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
              responses: {'200': {content: {application/json: {schema: {type: object}}}}}
            delete: {operationId: pets/delete}
        """;

    @TempDir
    Path folder;

    private Checked check(String document, String openapi) throws IOException {
        return check(document, openapi, "");
    }

    private Checked check(String document, String openapi, String more) throws IOException {
        Files.writeString(folder.resolve("api.yaml"), document);
        var file = Files.writeString(folder.resolve("tools.yaml"), "openapi: {file: api.yaml" + openapi + "}\n" + more);
        return ServerFile.check(file, Map.of("KEY", "k"));
    }

    private JsonNode tools(String document, String openapi) throws IOException {
        var checked = check(document, openapi);
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.warnings()).isEmpty();
        return checked.fields().path("tools");
    }

    private List<String> mistakes(String document, String openapi) throws IOException {
        return check(document, openapi).mistakes().stream()
                .map(Mistake::text)
                .map(text -> text.replace(folder + "/", ""))
                .toList();
    }

    private static String path(String operation) {
        return HEAD + "paths:\n  /a:\n" + operation.indent(4);
    }

    private JsonNode yaml(String text) throws IOException {
        return YamlReader.read(Files.writeString(folder.resolve("wanted.yaml"), text))
                .root();
    }

    @Test
    void an_operation_is_a_tool_as_an_author_would_write_it() throws IOException {
        var tools = tools(PETS, ", auth: {login: {user: ci, env: KEY}}");
        assertThat(tools.propertyNames()).containsExactly("pets_update", "pets_delete");
        assertThat(tools.path("pets_update")).isEqualTo(yaml("""
            http:
              url: https://api.example.com/v1/pets/{petId}
              method: PUT
              query: {dry-run: "{dry-run}", "tags[]": {value: "{tags_}", style: form, explode: false}}
              headers: {X-Why: "{X-Why}", Accept: application/json, Authorization: {user: ci, env: KEY}}
              cookies: {seen: "{seen}"}
              json: "{body}"
              status: none
            title: Changes a pet
            description: Changes a pet, and tells its owner.
            hints: {idempotent: true}
            inputSchema:
              type: object
              properties:
                petId: {type: string}
                dry-run: {type: boolean, description: "Changes nothing. Default: false."}
                tags_: {type: array, items: {type: string}}
                X-Why: {type: string}
                seen: {type: string}
                body: {$ref: '#/$defs/Pet'}
              required: [body, petId]
              $defs:
                Pet:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, examples: [Rex]}
                    parent: {$ref: '#/$defs/Pet'}
                    weight: {type: [number, "null"], exclusiveMinimum: 0}
              additionalProperties: false
            quick: true
            """));
        assertThat(tools.path("pets_delete").path("hints")).isEqualTo(yaml("{destructive: true, idempotent: true}"));
        assertThat(tools.path("pets_delete").path("http").path("text").asString())
                .isEmpty();
    }

    @Test
    void the_tools_are_those_of_a_file_that_has_them_written() throws IOException {
        var written = folder.resolve("written.yaml");
        Files.writeString(
                written,
                check(PETS, ", auth: {login: {user: ci, env: KEY}}").fields().toString());
        var again = ServerFile.check(written, Map.of("KEY", "k"));
        assertThat(again.mistakes()).isEmpty();
        assertThat(again.warnings()).isEmpty();
        assertThat(again.file().tools()).hasSize(2);
    }

    @Test
    void the_file_chooses_renames_and_changes_tools_as_those_of_upstreams() throws IOException {
        var chosen = ", headers: {X-Team: blue}, exclude: ['*delete'], prefix: shop_, server: 'http://localhost:1/x',"
                + " tools: {pets_update: {describe: Feeds it., approve: 'Feed {petId}?', http: {timeout: 5s}}}";
        var tools = tools(PETS, chosen);
        assertThat(tools.propertyNames()).containsExactly("shop_pets_update");
        var tool = tools.path("shop_pets_update");
        assertThat(tool.path("description").asString()).isEqualTo("Feeds it.");
        assertThat(tool.path("approve").asString()).isEqualTo("Feed {petId}?");
        assertThat(tool.has("quick")).isFalse();
        assertThat(tool.path("http").path("timeout").asString()).isEqualTo("5s");
        assertThat(tool.path("http").path("url").asString()).isEqualTo("http://localhost:1/x/pets/{petId}");
        assertThat(tool.path("http").path("headers").path("X-Team").asString()).isEqualTo("blue");
        assertThat(tools(PETS, ", headers: {A: b}, include: [pets_delete], tools: {pets_delete: {rename: remove}}")
                        .propertyNames())
                .containsExactly("remove");
    }

    @Test
    void tools_of_the_file_and_of_several_documents_stand_beside_each_other() throws IOException {
        Files.writeString(
                folder.resolve("b.json"),
                "{\"openapi\":\"3.1.0\",\"servers\":[{\"url\":\"https://b.example\"}],"
                        + "\"paths\":{\"/b\":{\"get\":{}}}}");
        Files.writeString(folder.resolve("api.yaml"), path("get: {}"));
        var file = Files.writeString(folder.resolve("tools.yaml"), """
            tools: [{name: own, command: [ls]}]
            openapi: [{file: api.yaml}, {file: b.json}]
            """);
        var checked = ServerFile.check(file, Map.of());
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.file().tools()).extracting(tool -> tool.name()).containsExactly("own", "get_a", "get_b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key   | {env: KEY}           | query   | api_key       | {env: KEY}",
                "jar   | {env: KEY}           | headers | Cookie        | {env: KEY, before: sid=}",
                "login | {user: ci, env: KEY} | headers | Authorization | {user: ci, env: KEY}",
                "token | {env: KEY}           | headers | Authorization | {env: KEY, before: 'Bearer '}"
            })
    void a_security_scheme_says_where_its_secret_stands(
            String scheme, String secret, String part, String name, String sent) throws IOException {
        var document = PETS.replace("[{login: []}]", "[{other: []}, {" + scheme + ": []}]");
        var tools = tools(document, ", auth: {" + scheme + ": " + secret + "}");
        assertThat(tools.path("pets_delete").path("http").path(part).path(name)).isEqualTo(yaml(sent));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: array}                                                                            |           "
                        + "  | {items: ''}",
                "{type: object, properties: {n: {type: integer}, items: {type: array}}}                   |           "
                        + "  | {items: /items}",
                "{type: object, properties: {data: {type: array}, nextPageToken: {type: string}}}         | pageToken "
                        + "  | {items: /data, next: /nextPageToken, query: pageToken}",
                "{type: object, properties: {data: {type: array}, page: {properties: {endCursor: {}}}}}   | after     "
                        + "  | {items: /data, next: /page/endCursor, query: after}",
                "{allOf: [{properties: {value: {type: array}}}, {properties: {'@odata.nextLink': {}}}]}   |           "
                        + "  | {items: /value, next: /@odata.nextLink}",
                "{type: object, properties: {a: {type: array}, b: {type: array}}}                         |           "
                        + "  | ",
                "{type: string}                                                                           |           "
                        + "  | "
            })
    void a_list_says_how_it_goes_on(String schema, String query, String pages) throws IOException {
        var parameter = query == null ? "" : "{name: " + query + ", in: query, schema: {type: string}}";
        var document = path("get: {parameters: [" + parameter
                + "], responses: {'200': {content: {application/json: {schema: " + schema + "}}}}}");
        var found = tools(document, "").path("get_a").path("http").path("pages");
        assertThat(found.isMissingNode()).isEqualTo(pages == null);
        if (pages != null) {
            assertThat(found).isEqualTo(yaml(pages.replace("}", ", most: 10}")));
        }
        assertThat(tools(document, ", pages: 1").path("get_a").path("http").has("pages"))
                .isFalse();
    }

    @Test
    void a_long_operation_says_how_its_job_is_followed_and_calls_back() throws IOException {
        var document = HEAD + """
            paths:
              /builds:
                post:
                  operationId: build
                  requestBody:
                    content:
                      application/json:
                        schema:
                          type: object
                          required: [ref, hook]
                          properties: {ref: {type: string}, hook: {type: string}}
                  callbacks: {done: {'{$request.body#/hook}': {post: {}}}}
                  x-longhaul:
                    timeout: 1h
                    id: /id
                    status: {url: '/builds/{job.id}', state: /state}
                    cancel: {method: DELETE, url: '/builds/{job.id}'}
                    callback: done
              /export: {post: {operationId: export, responses: {'202': {headers: {Location: {}}}}}}
              /import: {post: {operationId: import}}
            """;
        var checked = check(document, ", long: [imp*]", "address: https://tools.example.com\n");
        assertThat(checked.mistakes()).isEmpty();
        var tools = checked.fields().path("tools");
        assertThat(tools.path("build").path("http")).isEqualTo(yaml("""
            url: https://api.example.com/v1/builds
            method: POST
            json: {ref: "{body.ref}", hook: "{task.callback}"}
            id: /id
            status: {url: 'https://api.example.com/v1/builds/{job.id}', state: /state}
            cancel: {method: DELETE, url: 'https://api.example.com/v1/builds/{job.id}'}
            """));
        assertThat(tools.path("build").path("timeout").asString()).isEqualTo("1h");
        assertThat(tools.path("build").at("/inputSchema/properties/body")).isEqualTo(yaml("""
            {type: object, required: [ref], properties: {ref: {type: string}}}
            """));
        for (var name : List.of("build", "export", "import")) {
            assertThat(tools.path(name).has("quick")).as(name).isFalse();
        }
    }

    @Test
    void forms_have_a_field_for_each_property_in_its_style() throws IOException {
        var schema = "{schema: {type: object, properties: {a: {type: string}, f: {type: string, format: binary}}},"
                + " encoding: {a: {style: deepObject, explode: true}}}";
        var form = path("post: {requestBody: {content: {application/x-www-form-urlencoded: " + schema + "}}}");
        assertThat(tools(form, "").at("/post_a/http/form")).isEqualTo(yaml("""
            {a: {value: "{body.a}", style: deepObject, explode: true}, f: "{body.f}"}
            """));
        var parts = path("post: {requestBody: {content: {multipart/form-data: " + schema + "}}}");
        assertThat(tools(parts, "").at("/post_a/http")).isEqualTo(yaml("""
            url: https://api.example.com/v1/a
            method: POST
            form: {a: "{body.a}", f: {value: "{body.f}", filename: f}}
            contentType: multipart/form-data
            status: none
            """));
    }

    @Test
    void references_to_files_in_the_folder_are_followed_and_no_others() throws IOException {
        Files.createDirectory(folder.resolve("parts"));
        Files.writeString(folder.resolve("parts/a.yaml"), "get: {parameters: [{$ref: 'b.yaml#/p'}]}");
        Files.writeString(
                folder.resolve("parts/b.yaml"), "p: {name: q, in: query, schema: {$ref: '#/s'}}\ns: {type: string}");
        var found = tools(HEAD + "paths: {/a: {$ref: parts/a.yaml}}", "")
                .path("get_a")
                .path("inputSchema");
        assertThat(found.at("/$defs/s")).isEqualTo(yaml("{type: string}"));
        var outside = Files.createTempFile("outside", ".yaml");
        Files.writeString(outside, "get: {}");
        Files.createSymbolicLink(folder.resolve("link.yaml"), outside);
        for (var name : List.of("../x.yaml", "link.yaml", outside.toString(), "https://example.com/a.yaml")) {
            assertThat(mistakes(HEAD + "paths: {/a: {$ref: '" + name + "'}}", ""))
                    .singleElement()
                    .asString()
                    .startsWith("api.yaml:3:20: paths./a.$ref: \"")
                    .contains("is not in the folder of the document. ");
        }
        Files.delete(outside);
    }

    @Test
    void a_reference_that_leads_to_itself_is_a_mistake() throws IOException {
        var yaml = HEAD + """
            paths: {/a: {post: {requestBody: {content: {application/json: {schema: {
              properties: {b: {$ref: '#/components/schemas/B'}, t: {$ref: '#/components/schemas/Tree'}}}}}}}}}
            components:
              schemas:
                B: {$ref: '#/components/schemas/C'}
                C: {$ref: '#/components/schemas/B'}
                Tree: {properties: {left: {$ref: '#/components/schemas/Tree'}}}
            """;
        assertThat(mistakes(yaml, ""))
                .containsExactly(
                        "api.yaml:7:8: components.schemas.B: refers to itself. Refer to a value.",
                        "api.yaml:8:8: components.schemas.C: refers to itself. Refer to a value.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "get: {operationId: x} | , include: [y*] | tools.yaml:1:37: openapi.include[0]: is no operation of the"
                        + " document. Known are: x.",
                "get: {operationId: pets} | , tools: {pet: {quick: true}} | tools.yaml:1:35: openapi.tools.pet: is no"
                        + " operation of the document. Did you mean pets?",
                "get: {operationId: x} | , exclude: [x] | tools.yaml:1:10: openapi: leaves no operation. Write another"
                        + " include: or exclude:.",
                "get: {operationId: x} | , auth: {k: {env: KEY}} | tools.yaml:1:34: openapi.auth.k: is no security"
                        + " scheme of the document. Write headers: for it.",
                "get: {security: [{k: []}]} | , a: b | tools.yaml:1:27: openapi.a: is no field that Longhaul knows"
                        + " here",
                "get: {parameters: [{$ref: '#/no'}]} |  | api.yaml:5:31: paths./a.get.parameters[0].$ref: \"#/no\""
                        + " leads nowhere.",
                "get: {parameters: [{name: i, in: body}]} |  | api.yaml:5:24: paths./a.get.parameters[0]: is in no"
                        + " part of a request.",
                "post: {requestBody: {content: {image/png: {}}}} |  | api.yaml:5:25: paths./a.post.requestBody: has a"
                        + " body of image/png, which no tool sends. Leave the operation out by exclude:.",
                "get: {parameters: [{name: i, in: query, schema: {type: strng}}]} |  | api.yaml:5:10: paths./a.get:"
                        + " must be",
                "post: {x-longhaul: {command: [rm]}} |  | api.yaml:5:34: paths./a.post.x-longhaul.command: is no field"
                        + " that a document may set.",
                "post: {x-longhaul: {status: 'https://evil.example/x'}} |  | api.yaml:5:33:"
                        + " paths./a.post.x-longhaul.status: is no path of the API.",
                "post: {x-longhaul: {callback: c}} |  | api.yaml:5:35: paths./a.post.x-longhaul.callback: \"c\" is no"
                        + " callback whose address is a field of the request.",
                "get: {servers: [{url: 'https://evil.example'}]} | , headers: {A: b} | api.yaml:5:20:"
                        + " paths./a.get.servers: is another host, which gets no secrets of this one.",
                "get: {parameters: [{$ref: '#/%zz'}]} |  | api.yaml:5:31: paths./a.get.parameters[0].$ref: \"#/%zz\""
                        + " leads nowhere."
            })
    void a_mistake_is_told_at_its_place(String operation, String openapi, String told) throws IOException {
        var found = mistakes(path(operation), openapi == null ? "" : openapi);
        assertThat(found).anyMatch(text -> text.startsWith(told)).hasSizeLessThan(3);
    }

    @Test
    void a_document_that_is_none_is_told() throws IOException {
        assertThat(mistakes("swagger: '2.0'", ""))
                .contains("api.yaml:1:1: is of Swagger 2. Convert it to OpenAPI 3.0.");
        assertThat(mistakes("openapi: 3.1.0\npaths: {/a: {get: {}}}", ""))
                .first()
                .asString()
                .startsWith(
                        "tools.yaml:1:10: openapi: names a document that does not say where the API is. Write server:");
        assertThat(mistakes(path("get: {security: [{k: []}]}"), ""))
                .containsExactly("api.yaml:1:1: defines no security scheme \"k\". Define it.");
        assertThat(mistakes(PETS, ""))
                .containsExactly("tools.yaml:1:10: openapi: lacks the secret of the security scheme \"login\""
                        + " (http basic). Write auth: {login: {user: NAME, env: VARIABLE}}.");
        Files.delete(folder.resolve("api.yaml"));
        var file = Files.writeString(folder.resolve("t.yaml"), "openapi: {file: none.yaml}");
        assertThat(ServerFile.check(file, Map.of()).mistakes())
                .extracting(Mistake::problem)
                .contains("there is no such file");
    }

    @Test
    void a_name_that_the_file_has_is_told() throws IOException {
        assertThat(check(path("get: {operationId: own}"), "", "tools: {own: {command: [ls]}}\n")
                        .mistakes())
                .extracting(Mistake::problem)
                .containsExactly("makes the tool \"own\", which the file has already");
    }

    @Test
    void operations_without_good_names_get_some_each_once() throws IOException {
        var document = HEAD + """
            paths:
              /a/{b}: {get: {parameters: [{name: b, in: path, required: true, schema: {type: string}}]}}
              /c: {get: {operationId: 'x y'}, put: {operationId: 'x.y'}, post: {operationId: x_y}}
            """;
        assertThat(tools(document, "").propertyNames()).containsExactly("get_a_b", "x_y", "x_y_2", "x_y_3");
    }

    @Test
    void one_mistake_of_an_operation_or_an_address_is_told_without_others_that_follow_from_it() throws IOException {
        assertThat(mistakes(HEAD + "paths: {'/a/{id}': {get: {}}}", ""))
                .singleElement()
                .asString()
                .contains("has no parameter for {id} in its path");
        assertThat(mistakes(path("get: {}"), ", server: /v2"))
                .singleElement()
                .asString()
                .contains("openapi.server: must be an address");
        assertThat(mistakes("openapi: 3.1.0\npaths: {/a: {get: {}}}", "")).hasSize(1);
    }

    @Test
    void no_path_of_a_document_goes_on_with_the_host_of_its_server() throws IOException {
        for (var path : List.of("1/a", ".example.org/a", "@example.org/a", "")) {
            assertThat(mistakes(HEAD + "paths: {'" + path + "': {get: {}}}", ", server: 'http://localhost:1'"))
                    .singleElement()
                    .asString()
                    .contains("is below a path that does not begin with /");
        }
    }

    @Test
    void an_operation_may_name_the_host_of_the_secrets_without_a_path() throws IOException {
        var tools = tools(path("get: {servers: [{url: 'https://api.example.com'}]}"), ", headers: {A: b}");
        assertThat(tools.at("/get_a/http/url").asString()).isEqualTo("https://api.example.com/a");
        for (var other : List.of("https://api.example.com.evil.example", "http://api.example.com")) {
            assertThat(mistakes(path("get: {servers: [{url: '" + other + "'}]}"), ", headers: {A: b}"))
                    .singleElement()
                    .asString()
                    .contains("is another host");
        }
    }

    @Test
    void operations_of_one_id_and_those_without_their_secret_are_served_with_a_warning() throws IOException {
        var document = HEAD + """
            components: {securitySchemes: {k: {type: apiKey, in: header, name: K}, t: {type: http, scheme: bearer}}}
            paths:
              /a: {get: {operationId: x, security: [{k: []}]}}
              /b: {get: {operationId: x, security: [{t: []}]}}
            """;
        var checked = check(document, ", auth: {k: {env: KEY}}");
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.warnings())
                .extracting(Mistake::problem)
                .containsExactlyInAnyOrder(
                        "has the operationId of another operation, and is named \"x_2\"",
                        "lacks the secret of the security scheme \"t\" (http bearer), without which operations are"
                                + " called");
        assertThat(check(document, ", auth: {k: {env: KEY}}, exclude: [x_2]").warnings())
                .hasSize(1);
        assertThat(check(document, ", auth: {k: {env: KEY}}, headers: {T: t}").warnings())
                .hasSize(1);
    }

    @Test
    void schemas_that_refer_to_each_other_in_a_long_row_are_read() throws IOException {
        int count = 1500;
        var schemas = IntStream.range(0, count)
                .mapToObj(i -> "S" + i + ": {items: {$ref: '#/components/schemas/S" + (i + 1) + "'}}")
                .collect(Collectors.joining(", "));
        var body = "{content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}";
        var document = HEAD + "components: {schemas: {" + schemas + ", S" + count + ": {}}}\n"
                + "paths: {/a: {post: {requestBody: " + body + "}}}";
        assertThat(tools(document, "").at("/post_a/inputSchema/$defs").size()).isEqualTo(count + 1);
    }
}
