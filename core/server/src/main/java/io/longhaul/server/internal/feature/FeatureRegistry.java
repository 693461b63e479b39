// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.feature;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.feature.Completer;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.feature.ResourceReader;
import io.longhaul.receiver.feature.ServedPrompt;
import io.longhaul.receiver.feature.ServedResource;
import io.longhaul.receiver.feature.ServedTemplate;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.McpException;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.ResourceRequest;
import io.longhaul.server.internal.call.Forwarded;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.call.QuickContext;
import io.longhaul.server.internal.call.UrlGate;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Offers the resources and prompts of a server to its receiver, with their handlers behind the interceptors. */
public record FeatureRegistry(Features features, Interceptors interceptors) {

    /** The code of a handler. */
    private interface Work<T> {
        T with(QuickContext call) throws Exception;
    }

    /** @throws IllegalArgumentException where there is a resource of that URI */
    public void add(ResourceSpec resource) {
        added(features.resources().add(served(resource)), "resources have the URI", resource.uri());
    }

    public void put(ResourceSpec resource) {
        features.resources().put(served(resource));
    }

    /** @throws IllegalArgumentException where there is the same template */
    public void add(ResourceSpec.Templated template) {
        added(
                features.templates().add(served(template)),
                "templates are",
                template.resources().uri());
    }

    public void put(ResourceSpec.Templated template) {
        features.templates().put(served(template));
    }

    /** @throws IllegalArgumentException where there is a prompt of that name */
    public void add(PromptSpec prompt) {
        added(features.prompts().add(served(prompt)), "prompts are named", prompt.name());
    }

    public void put(PromptSpec prompt) {
        features.prompts().put(served(prompt));
    }

    /** Throws where {@code added} is false, because there is an item of that name already. */
    public static void added(boolean added, String what, String name) {
        Require.that(added, "two " + what + " '" + name + "': leave one out, or change it");
    }

    private ServedResource served(ResourceSpec resource) {
        return new ServedResource(
                resource.uri(), resource.definition(), resource.scopes(), resource.freshness(), reader(resource));
    }

    private ServedTemplate served(ResourceSpec.Templated template) {
        var resources = template.resources();
        Map<String, Completer> completers = new LinkedHashMap<>();
        template.completers().forEach((name, completer) -> completers.put(name, completer::completions));
        return new ServedTemplate(
                template.template(),
                resources.definition(),
                resources.scopes(),
                resources.freshness(),
                reader(resources),
                completers);
    }

    private ServedPrompt served(PromptSpec prompt) {
        Map<String, Boolean> arguments = new LinkedHashMap<>();
        Map<String, Completer> completers = new LinkedHashMap<>();
        for (var argument : prompt.arguments()) {
            arguments.put(argument.name(), argument.required());
            if (argument.completer() != null) {
                completers.put(argument.name(), argument.completer()::completions);
            }
        }
        return new ServedPrompt(
                prompt.name(),
                prompt.definition(),
                prompt.scopes(),
                arguments,
                (given, call) -> run(
                        "prompts/get",
                        prompt.name(),
                        call,
                        context -> prompt.handler().answer(given, context)),
                completers);
    }

    private ResourceReader reader(ResourceSpec resource) {
        return (uri, variables, call) -> {
            var request = new ResourceRequest(uri, variables);
            var read = run(
                    "resources/read",
                    uri,
                    call,
                    context -> Optional.<Object>ofNullable(resource.handler().read(request, context)));
            return read.map(found -> contents(uri, resource.mimeType(), found));
        };
    }

    private static Json contents(String uri, @Nullable String mimeType, Object read) {
        var forwarded = Forwarded.in(read);
        if (forwarded != null) {
            return forwarded;
        }
        var out = new JsonWriter(1024).beginArray();
        List<?> parts = read instanceof List<?> several ? several : List.of(read);
        parts.forEach(part -> ContentCodec.write(
                switch (part) {
                    case ResourceContents contents -> contents;
                    case String text -> ResourceContents.text(uri, mimeType, text);
                    case byte[] bytes -> ResourceContents.blob(uri, mimeType, bytes);
                    default ->
                        ResourceContents.text(
                                uri,
                                mimeType == null ? "application/json" : mimeType,
                                Values.json(part).toString());
                },
                out));
        return out.endArray().toJson();
    }

    private <T> T run(String method, String name, QuickCall call, Work<T> work) throws Exception {
        try {
            var context = new QuickContext(JsonNodeFactory.instance.objectNode(), call);
            return interceptors.around(
                    new HandledCall(method, name, context),
                    () -> UrlGate.run((none, own) -> work.with(own), call, context),
                    result -> Ended.RESULT);
        } catch (McpException e) {
            throw new RpcException(ErrorCodec.error(e));
        }
    }
}
