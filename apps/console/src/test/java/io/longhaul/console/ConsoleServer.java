// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Owner;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.server.Content;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.Form;
import io.longhaul.server.FormField.Format;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolResult;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/** A server with a console, whose tools go on when a test lets them. */
final class ConsoleServer implements AutoCloseable {

    static final String ALICE = "alices-token";

    /** One red pixel. */
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

    /** Marks the window where a script of it has run. */
    static final String HOSTILE = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";

    static final int GIANT = 1_500_000;

    /** Moves the cursor of a terminal, and shows what follows from right to left. */
    static final String CONTROLS = "red \033[31m turned \u202e end";

    private static final ElicitUrlRequest PAYMENT = ElicitUrlRequest.of("Pay it there", "https://bank.example.com/7");

    private static final ElicitRequest NAME =
            Form.of("Who are you?").string("name", field -> field.title("Name")).request();

    record Echo(String text) {}

    final Semaphore steps = new Semaphore(0);
    private final MessageLog log = new MessageLog(InstantSource.system(), name -> false, message -> {});
    private final Console console = Console.at("/console");
    private final ConsoleKey key = ConsoleKey.random(new SecureRandom());
    private final Http pages = Http.onPort(0)
            .path(console.endpoint())
            .site(console.site())
            .principals(key.callers(header -> header.apply("Authorization")
                    .filter(sent -> sent.equals("Bearer " + ALICE))
                    .<Resolution>map(sent -> new Resolution.Granted(Principal.named("alice")))
                    .orElseGet(() -> new Resolution.Refused(401, "Bearer", "Give a good token"))));
    private final McpServer server;

    ConsoleServer() {
        server = withoutTools()
                .store(new MemoryTaskStore())
                .tool(Tool.define("echo")
                        .description("Gives back what it is given, at once.")
                        .readOnly()
                        .input(Echo.class)
                        .handler((input, call) -> input.text()))
                .tool(Tool.define("deploy")
                        .title("Deploy")
                        .description("Rolls a release out, region by region, after a person has said yes.")
                        .inputSchema("""
                            {"type":"object","required":["service","regions"],"properties":{
                              "service":{"type":"string","description":"Which one","minLength":2},
                              "regions":{"type":"array","minItems":1,
                                "items":{"type":"string","enum":["eu","us","asia"]}},
                              "replicas":{"type":"integer","minimum":1,"maximum":9,"default":3},
                              "canary":{"type":"boolean"},
                              "health":{"type":"object",
                                "properties":{"path":{"type":"string"},"port":{"type":"integer"}}},
                              "labels":{"type":"array","items":{"type":"object"}}}}
                            """)
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((input, task) -> ToolResult.text("Deployed").withStructuredContent(input)))
                .tool(Tool.define("import_orders")
                        .description("Imports the orders of a night.")
                        .longRunning()
                        .handler((none, task) -> imported(task)))
                .tool(Tool.define("release")
                        .description("Releases a build after a person has said yes.")
                        .longRunning()
                        .handler((none, task) -> asked(task)))
                .tool(Tool.define("publish").longRunning().handler((none, task) -> published(task)))
                .tool(Tool.define("hostile").description(HOSTILE).longRunning().handler((none, task) -> hostile(task)))
                .tool(Tool.define("greet")
                        .description("Greets whoever says a name.")
                        .handler((none, call) -> "Hello, "
                                + call.elicit(NAME).content().path("name").asString()))
                .tool(Tool.define("clean_up")
                        .description("Removes the orders of last year.")
                        .destructive(true)
                        .handler((none, call) -> "All gone"))
                .tool(Tool.define("sum_up")
                        .description("Sums the week up, with a model.")
                        .longRunning()
                        .handler((none, task) -> task.sample(new CreateMessageRequest("How was the week?", 100))
                                .text()))
                .tool(Tool.define("pay")
                        .description("Pays an invoice at the bank.")
                        .longRunning()
                        .handler((none, task) -> "The bank says: " + task.elicitUrl(PAYMENT)))
                .tool(Tool.define("giant")
                        .description("Gives more than anybody reads.")
                        .longRunning()
                        .handler((none, task) -> "0123456789".repeat(GIANT / 10)))
                .tool(Tool.define("draw_chart")
                        .description("Draws the orders of a week.")
                        .longRunning()
                        .handler((none, task) -> ToolResult.text("{\"rows\": 3, \"good\": true}")
                                .and(Content.image(PNG, "image/png"))
                                .andResourceLink("https://example.com/report", "the report", "text/html")))
                .tool(Tool.define("print_invoices")
                        .description("Prints the invoices of a day.")
                        .longRunning()
                        .handler((none, task) -> {
                            throw new ToolException("there is no more paper");
                        }))
                .serve(pages);
    }

    private McpServerBuilder withoutTools() {
        console.messages(log);
        return McpServer.builder("nightly", "1.0")
                .monitor(console)
                .monitor(log)
                .resource(Resource.define("report://weekly")
                        .title("The week")
                        .description("What the week has brought.")
                        .mimeType("text/plain")
                        .handler((request, call) -> "It was a good week."))
                .resourceTemplate(ResourceTemplate.define("orders://{region}/night{?night}")
                        .title("Orders")
                        .description("The orders of one night.")
                        .handler((request, call) -> "Orders of " + request.uri()))
                .prompt(Prompt.define("review")
                        .description("Asks for a review of a release.")
                        .argument("release", "Which one")
                        .optionalArgument("tone", "How it shall sound")
                        .handler((values, call) -> List.of(PromptMessage.user("Review " + new TreeMap<>(values)))));
    }

    private String imported(TaskContext task) throws InterruptedException {
        for (int step = 1; step <= 4; step++) {
            steps.acquire();
            task.progress(step, 4, "night " + step);
            task.log(step == 3 ? "warning" : "info", step == 3 ? "one order twice" : "read night " + step);
            task.partial("orders of night " + step);
        }
        steps.acquire();
        return "4 nights, 1,204 orders";
    }

    private static String published(TaskContext task) throws InterruptedException {
        task.approve("Publish the orders?");
        return "Published";
    }

    private static String asked(TaskContext task) throws InterruptedException {
        var question = Form.of("Release build 214 to production?")
                .string("approver", field -> field.title("Approver").minLength(3))
                .string(
                        "mail",
                        field -> field.title("Mail").format(Format.EMAIL).optional())
                .integer(
                        "percent",
                        field -> field.title("Percent of traffic").minimum(1).maximum(100))
                .bool("notify", field -> field.title("Tell the team").defaultValue(true))
                .singleSelect(
                        "window",
                        field -> field.title("Window").option("am", "Morning").option("pm", "Evening"))
                .multiSelect(
                        "regions",
                        field -> field.title("Regions")
                                .options("eu", "us", "asia")
                                .minItems(1))
                .request();
        var answer = task.elicit(question);
        return answer.accepted() ? "Released by " + answer.content() : "Not released";
    }

    private static ToolResult hostile(TaskContext task) {
        task.status(HOSTILE);
        task.log("info", HOSTILE);
        task.partial(HOSTILE);
        task.log("info", CONTROLS);
        task.log("info", "long".repeat(5_000));
        return ToolResult.text(HOSTILE)
                .andResourceLink("javascript:window.hacked=1", "<b>click</b>", "text/html")
                .andImage("PHN2ZyBvbmxvYWQ9IndpbmRvdy5oYWNrZWQ9MSIvPg==", "image/svg+xml")
                .andEmbeddedResource("data:text/html,<script>window.hacked=1</script>", "text/html", HOSTILE)
                .withStructuredContent(Map.of(HOSTILE, List.of(HOSTILE)));
    }

    /** Calls a tool on behalf of the local user. */
    String start(String tool) {
        return start(new Owner("local"), tool, Map.of());
    }

    String start(Owner owner, String tool, Object arguments) {
        return switch (server.tasks(owner).start(tool, arguments)) {
            case Started.New made -> made.task().id().value();
            case Started.Same same -> same.task().id().value();
            case Started.Refused refused -> throw new IllegalStateException(refused.problem());
            case Started.NotFound none -> throw new IllegalStateException(tool);
        };
    }

    /** Calls a tool as a client that can be asked everything. */
    String startAsClient(String tool) {
        var requests = WebRequests.to(pages.url()).with("Authorization", "Bearer " + token());
        var everything = "{\"sampling\":{},\"elicitation\":{\"form\":{},\"url\":{}},"
                + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
        var created = new StatelessClient<>(requests, everything).ask("tools/call", Messages.call(tool, "{}"));
        return created.path("result").path("taskId").asString();
    }

    McpServer server() {
        return server;
    }

    /** The first page, without the key. */
    URI page() {
        return pages.url().resolve(console.page());
    }

    /** What the server prints. */
    URI link() {
        return key.link(page());
    }

    String token() {
        return link().getFragment().substring("token=".length());
    }

    @Override
    public void close() {
        steps.release(1_000);
        server.close();
        console.close();
    }
}
