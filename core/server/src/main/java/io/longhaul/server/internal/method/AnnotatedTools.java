// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the methods of an object that are marked as tools, and makes tools of them, or reports all problems at once.
 */
public final class AnnotatedTools {

    private final AnnotatedMethod.Definitions definitions;
    private final Object owner;
    private final Map<String, Method> declared = new HashMap<>();
    private final List<Tool> tools = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private AnnotatedTools(AnnotatedMethod.Definitions definitions, Object owner) {
        this.definitions = definitions;
        this.owner = owner;
    }

    public static List<Tool> of(Object owner, AnnotatedMethod.Definitions definitions) {
        var made = new AnnotatedTools(definitions, owner);
        made.methods().forEach(made::make);
        made.refuseProblems();
        return made.tools.stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    /** The marked methods of the class, inherited methods included; of overridden methods only the one that runs. */
    private List<Method> methods() {
        List<Method> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> !method.isBridge())
                    .filter(AnnotatedTools::isMarked)
                    .filter(method -> seen.add(method.getName() + Arrays.toString(method.getParameterTypes())))
                    .sorted((one, other) -> one.toGenericString().compareTo(other.toGenericString()))
                    .forEach(found::add);
        }
        if (found.isEmpty()) {
            problems.add(
                    owner instanceof Class<?> type
                            ? "the tools of an object are wanted, not of the class itself: give a new "
                                    + type.getSimpleName() + "(...) instead of its class"
                            : owner.getClass().getName() + " has no method that is marked with @McpTool");
        }
        return found;
    }

    private static boolean isMarked(Method method) {
        return Stream.of(McpTool.class, McpLongRunning.class, McpApprove.class).anyMatch(method::isAnnotationPresent);
    }

    private void make(Method method) {
        try {
            Tool tool = new AnnotatedMethod(definitions, owner, method).tool();
            Method other = declared.putIfAbsent(tool.name(), method);
            if (other == null) {
                tools.add(tool);
            } else {
                problems.add(MethodCall.place(method) + ": two tools are named '" + tool.name() + "', this one and "
                        + MethodCall.place(other) + ": give one another name");
            }
        } catch (IllegalArgumentException e) {
            problems.add(MethodCall.place(method) + ": " + e.getMessage());
        }
    }

    private void refuseProblems() {
        if (problems.size() == 1) {
            throw new IllegalArgumentException(problems.getFirst());
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.size() + " tools cannot be used:\n- " + String.join("\n- ", problems));
        }
    }
}
