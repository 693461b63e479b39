// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.server.Content;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A method that computes the immediate response to calls of a tool that is another method. */
public final class ImmediateMethod {

    private final Object owner;
    private final Method method;
    private final MethodArguments arguments;

    /** @throws IllegalArgumentException where there is no such method, with the reason */
    public ImmediateMethod(Object owner, Method tool, String name) {
        this.owner = owner;
        method = found(tool, name);
        method.setAccessible(true);
        arguments = new MethodArguments(method);
    }

    /** @param given the arguments of one call, with their defaults */
    @Nullable
    public List<Content> of(JsonNode given) {
        try {
            return content(MethodCall.call(method, owner, arguments.bound(given, null)));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(MethodCall.place(method) + " failed", e);
        }
    }

    private static Method found(Method tool, String name) {
        Class<?>[] wanted = Arrays.stream(tool.getParameterTypes())
                .filter(type -> !MethodArguments.isContext(type))
                .toArray(Class<?>[]::new);
        try {
            return tool.getDeclaringClass().getDeclaredMethod(name, wanted);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "its immediateResult must name a method of the same class with the same parameters,"
                            + " without a TaskContext: there is none that is called '" + name + "'",
                    e);
        }
    }

    private static @Nullable List<Content> content(@Nullable Object given) {
        return switch (given) {
            case null -> null;
            case String text -> List.of(Content.text(text));
            case Content item -> List.of(item);
            case List<?> items -> items.stream().map(Content.class::cast).toList();
            default ->
                throw new IllegalStateException("an immediate result is a text or content, no "
                        + given.getClass().getName());
        };
    }
}
