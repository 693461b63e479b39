// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.feature.Completer;
import io.longhaul.receiver.feature.ResourceReader;
import io.longhaul.receiver.feature.ServedPrompt;
import io.longhaul.receiver.feature.ServedResource;
import io.longhaul.receiver.feature.ServedTemplate;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.internal.schema.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts resources and prompts to the types that the receiver serves. */
final class FeatureWiring {

    /** The code of a handler. */
    private interface Work<T> {
        T with(QuickContext call) throws Exception;
    }

    /** The interceptors, and the method and name that they get for a call. */
    private record Passing(String method, String name, Interceptors interceptors) {}

    private FeatureWiring() {}

    static ServedResource served(Resource resource, Interceptors interceptors) {
        return new ServedResource(
                resource.uri(),
                resource.definition,
                resource.scopes,
                resource.caching.freshness(),
                reader(resource.handler, resource.info.mimeType(), interceptors));
    }

    static ServedTemplate served(ResourceTemplate template, Interceptors interceptors) {
        Map<String, Completer> completers = new LinkedHashMap<>();
        template.completers.forEach((name, completer) -> completers.put(name, completer::completions));
        return new ServedTemplate(
                template.template,
                template.definition,
                template.scopes,
                template.caching.freshness(),
                reader(template.handler, template.info.mimeType(), interceptors),
                completers);
    }

    static ServedPrompt served(Prompt prompt, Interceptors interceptors) {
        Map<String, Boolean> arguments = new LinkedHashMap<>();
        Map<String, Completer> completers = new LinkedHashMap<>();
        for (PromptArgument argument : prompt.arguments) {
            arguments.put(argument.name(), argument.required());
            if (argument.completer() != null) {
                completers.put(argument.name(), argument.completer()::completions);
            }
        }
        return new ServedPrompt(
                prompt.name,
                prompt.definition,
                prompt.scopes,
                arguments,
                (given, call) -> {
                    var passing = new Passing("prompts/get", prompt.name, interceptors);
                    return run(call, passing, context -> prompt.source.answer(given, context));
                },
                completers);
    }

    private static ResourceReader reader(
            ResourceHandler handler, @Nullable String mimeType, Interceptors interceptors) {
        return (uri, variables, call) -> {
            var request = new ResourceRequest(uri, variables);
            var passing = new Passing("resources/read", uri, interceptors);
            var read = run(call, passing, context -> Optional.<Object>ofNullable(handler.read(request, context)));
            return read.map(found -> contents(uri, mimeType, found));
        };
    }

    private static Json contents(String uri, @Nullable String mimeType, Object read) {
        var passed = Passed.in(read);
        if (passed != null) {
            return passed;
        }
        var out = new JsonWriter(1024).beginArray();
        List<?> parts = read instanceof List<?> several ? several : List.of(read);
        parts.forEach(part -> ContentForm.write(
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

    static Json result(@Nullable String description, List<PromptMessage> messages) {
        var out = new JsonWriter(1024)
                .beginObject()
                .optional("description", description)
                .name("messages")
                .beginArray();
        for (PromptMessage message : messages) {
            out.beginObject().name("role").string(message.role().word()).name("content");
            ContentForm.write(message.content(), out);
            out.endObject();
        }
        return out.endArray().endObject().toJson();
    }

    private static <T> T run(QuickCall call, Passing passing, Work<T> work) throws Exception {
        try {
            var context = new QuickContext(JsonNodeFactory.instance.objectNode(), call);
            return passing.interceptors()
                    .around(
                            new HandledCall(passing.method(), passing.name(), context),
                            () -> UrlGate.run((none, own) -> work.with(own), call, context),
                            result -> Ended.RESULT);
        } catch (McpException e) {
            throw rpc(e);
        } catch (ClientException e) {
            throw e.asEnd();
        }
    }

    static RpcException rpc(McpException e) {
        Json data = e.data() == null ? null : Values.json(e.data());
        return new RpcException(new RpcError(e.code(), String.valueOf(e.getMessage()), data));
    }
}
