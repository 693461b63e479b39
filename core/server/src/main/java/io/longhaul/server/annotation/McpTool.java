// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a tool. The method runs on a virtual thread and may block; many calls run at once.
 *
 * <p>Each parameter is an argument, named as in the source ({@code javac -parameters}) or by {@link McpParam#name}; a
 * {@code TaskContext} is the call itself. A record, a map or a list that the method returns is structured content and
 * gives the output schema, unless the return value is nullable. A string, a number or a boolean is text; a
 * {@code ToolResult} is the whole result.
 *
 * <p>{@code docs/TOOLS.md} shows all options by example.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpTool {

    /** The name of the tool: 1 to 128 letters, digits, underscores, hyphens or dots. By default the method's name. */
    String name() default "";

    /** The display name. By default none. */
    String title() default "";

    /** A description for a model. By default none. */
    String description() default "";

    /**
     * The scopes that a caller needs where callers are authorized, see {@code ToolDefinition.scopes}. By default none.
     */
    String[] scopes() default {};

    /** Hints about the behaviour of the tool. */
    McpAnnotations annotations() default @McpAnnotations;

    /** Icons of the tool. */
    McpIcon[] icons() default {};

    /**
     * The type of the structured content, for methods that return a {@code ToolResult}. By default the return type of
     * the method.
     */
    Class<?> output() default void.class;

    /** Hints about the behaviour of a tool. Hints have no effect in the server, and a client must not trust them. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({})
    @interface McpAnnotations {

        /** The display name, at the place where older clients look for it. */
        String title() default "";

        /** Whether the tool changes nothing. */
        boolean readOnlyHint() default false;

        /** Whether the tool may destroy something. Without meaning for a tool that changes nothing. */
        boolean destructiveHint() default true;

        /**
         * Whether a repeated call with the same arguments changes nothing more. Without meaning for a tool that changes
         * nothing.
         */
        boolean idempotentHint() default false;

        /** Whether the tool reaches beyond a closed world, as a search of the web does. */
        boolean openWorldHint() default true;
    }
}
