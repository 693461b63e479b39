// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.Caching;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.Form;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Root;
import io.longhaul.server.ToolContext;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.util.List;

/** The Java of docs/FEATURES.md. */
abstract class FeaturesListings {

    record Person(String name) {}

    static final class ShopTools {
        @McpTool(name = "price", description = "The price of an article")
        int price(String article) {
            return article.length();
        }
    }

    abstract String stock();

    abstract String article(String name);

    abstract List<String> articlesLike(String typed);

    void server() throws InterruptedException {
        var server = McpServer.builder("shop", "1.0")
                .title("Shop")
                .toolsOf(new ShopTools()) // docs/TOOLS.md
                .resource(Resource.define("shop://stock")
                        .description("What there is")
                        .caching(Caching.publicScope(Duration.ofSeconds(5)))
                        .handler((request, call) -> stock())) // a text, bytes, or a record as JSON
                .resourceTemplate(ResourceTemplate.define("shop://article/{name}")
                        .mimeType("text/plain")
                        .complete("name", ArgumentCompleter.of(List.of("shirt", "shoe")))
                        .handler((request, call) -> article(request.variable("name")))) // null: there is none
                .prompt(Prompt.define("sell")
                        .description("Sells an article")
                        .argument("article", "Which", (typed, others) -> articlesLike(typed))
                        .optionalArgument("tone", "How")
                        .handler((given, call) -> List.of(PromptMessage.user("Sell the " + given.get("article")))))
                .serve(Http.onPort(8080).legacySse()); // or Stdio.standard(), or both
        server.addPrompt(Prompt.define("thanks").text("Say thanks")); // clients are told
        server.notifyResourceUpdated("shop://stock"); // those that have subscribed are told
        server.awaitEnd();
    }

    void questions(ToolContext call) throws Exception {
        var who = call.elicit("Who are you?", Person.class); // a record: one field for each component
        var size = call.elicit(Form.of("Which?")
                .singleSelect("size", s -> s.option("s", "Small").option("l", "Large"))
                .request());
        var agreed = call.elicitUrl(ElicitUrlRequest.of("Log in first", "https://example.com/login"));
        String text =
                call.sample(new CreateMessageRequest("Name a colour.", 100)).text();
        List<Root> folders = call.listRoots();
        tell(who, size, agreed, text, folders);
    }

    abstract void tell(Object... answers);
}
