// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.protocol.dialect.words.ClientReader.optionalText;

import io.longhaul.client.list.KeptList;
import io.longhaul.client.list.Listings;
import io.longhaul.client.request.QuestionRounds;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.call.Requestor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The prompts of a server. Blocking, thread-safe.
 *
 * <p>Every method throws {@link RefusedException} where the server refuses, as a server without prompts does.
 */
public final class RemotePrompts {

    private final Requestor requestor;
    private final KeptList<Json> prompts;

    RemotePrompts(Requestor requestor) {
        this.requestor = requestor;
        prompts = Listings.of("prompts", "prompts", requestor, Call.ListPrompts::new);
    }

    /**
     * All prompts that the server lists, in its order. The list may be as old as the server allows, as {@link
     * McpClient#tools()} says.
     */
    public List<ListedPrompt> list() {
        return prompts.items().stream().map(RemotePrompts::prompt).toList();
    }

    private static ListedPrompt prompt(Json definition) {
        var shown = JsonTree.read(definition);
        var arguments = new ArrayList<ListedPrompt.Argument>();
        for (var argument : shown.path("arguments")) {
            arguments.add(new ListedPrompt.Argument(
                    argument.path("name").asString(""),
                    argument.path("description").asString(null),
                    argument.path("required").asBoolean(false)));
        }
        return new ListedPrompt(
                shown.path("name").asString(""),
                optionalText(shown, "title"),
                optionalText(shown, "description"),
                arguments,
                definition);
    }

    /**
     * A prompt with its arguments filled in.
     *
     * @param arguments texts by the names of the arguments
     * @throws UnusableAnswerException also where the server asks a question that this client cannot answer
     */
    public FilledPrompt get(String name, Map<String, String> arguments) {
        var shown = JsonTree.read(result(name, arguments, requestor.settings().answerer()));
        var messages = new ArrayList<FilledPrompt.Message>();
        for (var message : shown.path("messages")) {
            messages.add(new FilledPrompt.Message(
                    message.path("role").asString("user"), JsonTree.write(message.path("content"))));
        }
        return new FilledPrompt(optionalText(shown, "description"), messages);
    }

    /**
     * A prompt as the whole result that the server sent; {@link #get} gives its messages.
     *
     * @param answerer answers what the server asks because of this request, in place of the client's own answerer
     */
    public Json result(String name, Map<String, String> arguments, Answerer answerer) {
        var asked = new Call.GetPrompt(name, Map.copyOf(arguments), CallExtras.NONE, Round.FIRST);
        var given = QuestionRounds.ask(requestor, answerer, asked);
        return ServerResponses.expect(CallResponse.PromptResult.class, given, "a prompt")
                .result();
    }

    /**
     * Suggested values for an argument of a prompt.
     *
     * @param typed  what the user has typed
     * @param others the values of other arguments, by their names
     */
    public Suggestions complete(String name, String argument, String typed, Map<String, String> others) {
        return Listings.complete(
                requestor, new Call.Complete(new Call.Completed.Prompt(name), argument, typed, others));
    }

    void forget() {
        prompts.forget();
    }
}
