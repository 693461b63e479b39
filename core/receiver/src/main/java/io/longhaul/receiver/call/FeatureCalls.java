// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Listing;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.feature.Completer;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.feature.ServedPrompt;
import io.longhaul.receiver.feature.ServedResource;
import io.longhaul.receiver.feature.ServedTemplate;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for quick tools, resources, prompts and completion.
 *
 * @param lists how long a list may be cached
 */
public record FeatureCalls(Features features, Freshness lists) {

    /** One page of a list; a server that has nothing of the kind does not know the method. */
    CallResponse list(Listing what, @Nullable String cursor) {
        return switch (what) {
            case RESOURCES ->
                features.hasResources()
                        ? page(what, features.resources(), ServedResource::definition, cursor)
                        : unknown("resources/list");
            case TEMPLATES ->
                features.hasResources()
                        ? page(what, features.templates(), ServedTemplate::definition, cursor)
                        : unknown("resources/templates/list");
            case PROMPTS ->
                features.prompts().isUsed()
                        ? page(what, features.prompts(), ServedPrompt::definition, cursor)
                        : unknown("prompts/list");
        };
    }

    /** The scopes that a message needs for the resources and the prompt that it names. */
    Set<String> scopes(Call call) {
        return switch (call) {
            case Call.Augmented augmented -> scopes(augmented.of());
            case ReadResource read -> scopesOf(read.uri());
            case Call.SubscribeResource watch -> scopesOf(watch.uri());
            case Call.Listen listen ->
                listen.wanted().resources().stream()
                        .flatMap(uri -> scopesOf(uri).stream())
                        .collect(Collectors.toSet());
            case GetPrompt get -> scopesOfPrompt(get.prompt());
            case Call.Complete complete ->
                switch (complete.of()) {
                    case Call.Completed.Prompt of -> scopesOfPrompt(of.name());
                    case Call.Completed.Template of ->
                        features.templates()
                                .find(of.uri())
                                .map(ServedTemplate::scopes)
                                .orElse(Set.of());
                };
            default -> Set.of();
        };
    }

    private Set<String> scopesOf(String uri) {
        return features.resource(uri).map(Features.ReadableResource::scopes).orElse(Set.of());
    }

    private Set<String> scopesOfPrompt(String name) {
        return features.prompts().find(name).map(ServedPrompt::scopes).orElse(Set.of());
    }

    /** The handler of a request that calls no long-running tool; empty where there is a {@link #refusal}. */
    public Optional<QuickHandler> handler(Interactive call) {
        return switch (call) {
            case CallTool tool ->
                features.tools()
                        .find(tool.tool())
                        .flatMap(found ->
                                found.kind() instanceof Kind.Quick quick ? Optional.of(quick) : Optional.empty())
                        .map(quick -> quick.handlers().apply(tool.arguments()));
            case ReadResource read ->
                features.resource(read.uri())
                        .map(found -> way -> found.reader()
                                .read(read.uri(), found.variables(), way)
                                .<CallResponse>map(
                                        contents -> new CallResponse.ResourceRead(contents, fresh(found.fresh(), read)))
                                .orElseGet(() -> new CallResponse.Refused(refusal(read))));
            case GetPrompt get ->
                features.prompts()
                        .find(get.prompt())
                        .filter(prompt -> problem(prompt, get.arguments()).isEmpty())
                        .map(prompt -> way ->
                                new CallResponse.PromptResult(prompt.source().get(get.arguments(), way)));
        };
    }

    /** Why there is no {@link #handler} of a request. */
    public Refusal refusal(Interactive call) {
        return switch (call) {
            case CallTool tool -> new Refusal.UnknownTool(tool.tool());
            case ReadResource read -> new Refusal.UnknownResource(read.uri());
            case GetPrompt get ->
                features.prompts()
                        .find(get.prompt())
                        .flatMap(prompt -> problem(prompt, get.arguments()))
                        .<Refusal>map(Refusal.InvalidParams::new)
                        .orElseGet(() -> new Refusal.UnknownPrompt(get.prompt()));
        };
    }

    /** "requests carrying `inputResponses` or `requestState` MUST NOT be cached" */
    private static Freshness fresh(Freshness usual, Interactive call) {
        return call.round().equals(Call.Round.FIRST) ? usual : Freshness.NONE;
    }

    private static Optional<String> problem(ServedPrompt prompt, Map<String, String> arguments) {
        for (var argument : prompt.arguments().entrySet()) {
            if (argument.getValue() && !arguments.containsKey(argument.getKey())) {
                return Optional.of(
                        "params.arguments." + argument.getKey() + " is required by the prompt " + prompt.name());
            }
        }
        return arguments.keySet().stream()
                .filter(given -> !prompt.arguments().containsKey(given))
                .findFirst()
                .map(given -> "params.arguments." + given + " is none of the prompt " + prompt.name() + ", which takes "
                        + (prompt.arguments().isEmpty()
                                ? "none"
                                : String.join(", ", prompt.arguments().keySet())));
    }

    CallResponse complete(Call.Complete call) throws Exception {
        if (!features.hasCompletions()) {
            return unknown("completion/complete");
        }
        return switch (call.of()) {
            case Call.Completed.Prompt of -> {
                var prompt = features.prompts().find(of.name());
                yield prompt.isEmpty()
                        ? new CallResponse.Refused(new Refusal.UnknownPrompt(of.name()))
                        : complete(
                                call,
                                prompt.get().arguments().containsKey(call.argument()),
                                prompt.get().completers());
            }
            case Call.Completed.Template of -> {
                var template = features.templates().find(of.uri());
                yield template.isEmpty()
                        ? new CallResponse.Refused(new Refusal.InvalidParams("Unknown resource template: " + of.uri()))
                        : complete(
                                call,
                                template.get().template().variables().contains(call.argument()),
                                template.get().completers());
            }
        };
    }

    private static CallResponse complete(Call.Complete call, boolean known, Map<String, Completer> completers)
            throws Exception {
        if (!known) {
            return new CallResponse.Refused(new Refusal.InvalidParams(
                    "params.argument.name is no argument or variable of it: " + call.argument()));
        }
        Completer completer = completers.get(call.argument());
        return completer == null
                ? new CallResponse.Completions(List.of(), 0)
                : completer.complete(call.typed(), call.others());
    }

    private <T> CallResponse page(
            Listing what, Catalog<T> catalog, Function<T, Json> definition, @Nullable String cursor) {
        return catalog.page(cursor)
                .<CallResponse>map(page -> new CallResponse.Listed(
                        what, page.items().stream().map(definition).toList(), page.next(), lists))
                .orElseGet(() -> new CallResponse.Refused(new Refusal.InvalidCursor()));
    }

    private static CallResponse unknown(String method) {
        return new CallResponse.Refused(new Refusal.NoSuchMethod(method));
    }
}
