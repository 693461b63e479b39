package io.longhaul.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Calls a method, and throws what it throws. */
final class MethodCall {

    private MethodCall() {}

    static @Nullable Object call(Method method, Object owner, @Nullable Object[] arguments) throws Exception {
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
}
