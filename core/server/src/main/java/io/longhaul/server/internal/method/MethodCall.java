// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calls a method by reflection, and throws what the method throws. */
public final class MethodCall {

    private MethodCall() {}

    public static @Nullable Object call(Method method, Object owner, @Nullable Object[] arguments) throws Exception {
        try {
            return method.invoke(owner, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception thrown -> throw thrown;
                case Error thrown -> throw thrown;
                default -> throw e;
            }
        }
    }

    /** The class, the method and the types of its parameters, for people. */
    public static String place(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }
}
