// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.server.RequestContext;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolException;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpParams;
import io.longhaul.server.internal.codec.Binding;
import io.longhaul.server.internal.schema.ObjectSchema;
import io.longhaul.server.internal.schema.ParamAttributes;
import io.longhaul.server.internal.schema.Schemas;
import io.longhaul.server.internal.schema.TypeSchemas;
import io.longhaul.server.internal.schema.Values;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/** The parameters of a method: the schema of the arguments of its tool, and the binding of arguments to parameters. */
public final class MethodArguments {

    private sealed interface Taken {

        record Context() implements Taken {}

        /** All arguments as one record. */
        record Whole(JavaType type) implements Taken {}

        record Named(String name, JavaType type) implements Taken {}
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final List<Taken> taken = new ArrayList<>();
    private final TypeSchemas types = new TypeSchemas();
    private final ObjectSchema named = new ObjectSchema(types);
    private final String schema;

    /** @throws IllegalArgumentException where a parameter cannot be an argument, with the reason */
    public MethodArguments(Method method) {
        for (Parameter parameter : method.getParameters()) {
            taken.add(taken(parameter));
        }
        refuseSecondContext();
        schema = made();
    }

    /** JSON Schema of the arguments, as text. */
    public String schema() {
        return schema;
    }

    /**
     * The parameter values of one call.
     *
     * @param given the arguments of the call, with their defaults
     * @param call  the context of the call; null where no parameter takes a context
     * @throws ToolException where an argument cannot be bound, with a message for the model
     */
    @Nullable
    public Object[] bound(JsonNode given, @Nullable ToolContext call) {
        return taken.stream()
                .map(one -> switch (one) {
                    case Taken.Context context -> call;
                    case Taken.Whole whole ->
                        Binding.arguments(given, whole.type().getRawClass());
                    case Taken.Named named -> bound(given.get(named.name()), named);
                })
                .toArray();
    }

    private static @Nullable Object bound(@Nullable JsonNode given, Taken.Named as) {
        if (given == null) {
            return Values.absent(as.type());
        }
        try {
            return Values.bind(given, as.type());
        } catch (JacksonException e) {
            throw new ToolException(
                    "The argument '" + as.name() + "' cannot be used: " + Binding.problem(e, as.type()), e);
        }
    }

    /** Whether a parameter of that type takes the context of the call, and is no argument. */
    static boolean isContext(Class<?> type) {
        return RequestContext.class.isAssignableFrom(type);
    }

    private Taken taken(Parameter parameter) {
        if (isContext(parameter.getType())) {
            return new Taken.Context();
        }
        JavaType type = Values.type(parameter.getParameterizedType());
        if (parameter.isAnnotationPresent(McpParams.class)) {
            return new Taken.Whole(type);
        }
        McpParam marked = parameter.getAnnotation(McpParam.class);
        String name = name(parameter, marked);
        var words = ParamAttributes.of(marked);
        boolean nullable = ParamAttributes.isNullable(parameter.getAnnotations())
                || ParamAttributes.isNullable(parameter.getAnnotatedType().getAnnotations());
        named.add(name, type, nullable ? words.optional() : words, "its parameter '" + name + "'");
        return new Taken.Named(name, type);
    }

    private static String name(Parameter parameter, @Nullable McpParam marked) {
        String given = marked == null ? "" : marked.name();
        if (given.isEmpty() && !parameter.isNamePresent()) {
            throw new IllegalArgumentException(
                    "the names of its parameters are not in the class file: compile with -parameters,"
                            + " or give each one @McpParam(name = ...)");
        }
        String name = given.isEmpty() ? parameter.getName() : given;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of its parameter '" + name
                    + "' must be 1 to 64 letters, digits, underscores, hyphens or dots (A-Z, a-z, 0-9, _ - .)");
        }
        return name;
    }

    private void refuseSecondContext() {
        if (taken.stream().filter(Taken.Context.class::isInstance).count() > 1) {
            throw new IllegalArgumentException(
                    "it takes the call twice, as a TaskContext, ToolContext or RequestContext: once is enough");
        }
    }

    private String made() {
        var arguments =
                taken.stream().filter(one -> !(one instanceof Taken.Context)).toList();
        for (Taken one : arguments) {
            if (one instanceof Taken.Whole whole) {
                if (arguments.size() > 1) {
                    throw new IllegalArgumentException(
                            "a parameter with @McpParams takes all arguments: no other can be one");
                }
                return whole(whole.type());
            }
        }
        return arguments.isEmpty()
                ? Schemas.NO_ARGUMENTS
                : types.finish(named.node()).toString();
    }

    private static String whole(JavaType type) {
        if (!type.getRawClass().isRecord() || type.hasGenericTypes()) {
            throw new IllegalArgumentException("@McpParams is for plain records, not for "
                    + type.getRawClass().getName());
        }
        return Schemas.of(type.getRawClass());
    }
}
