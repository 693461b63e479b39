// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes an argument of a tool and its limits: on a parameter of a {@link McpTool} method, or on a component of a
 * record that is an argument, a result or a form. The description goes into the JSON Schema, and the limits are checked
 * before the tool is called.
 *
 * <p>An argument is required unless it has a default, is {@code @Nullable} or an {@code Optional}, or {@link #required}
 * is false.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.RECORD_COMPONENT})
public @interface McpParam {

    /** The value of {@link #defaultValue} that means no default. */
    String NO_DEFAULT = "\u0000";

    /** The name in the arguments. By default the name in the source. */
    String name() default "";

    /** The display name. By default none. */
    String title() default "";

    /** A description for a model. By default none. */
    String description() default "";

    /** False where the argument may be absent; an absent argument is null. */
    boolean required() default true;

    /**
     * The value of an absent argument: the plain text for types that are texts in JSON, and JSON for all other types.
     */
    String defaultValue() default NO_DEFAULT;

    /** The smallest number. */
    double minimum() default Double.NaN;

    /** The largest number. */
    double maximum() default Double.NaN;

    /** The fewest characters of a text. */
    int minLength() default 0;

    /** The most characters of a text. */
    int maxLength() default Integer.MAX_VALUE;

    /**
     * A regular expression that a text must contain a match of; use {@code ^} and {@code $} to match the whole text.
     */
    String pattern() default "";

    /** The format of a text in JSON Schema, such as {@code email} or {@code uri}; a hint that is not checked. */
    String format() default "";

    /** The fewest items of a list. */
    int minItems() default 0;

    /** The most items of a list. */
    int maxItems() default Integer.MAX_VALUE;

    /**
     * The header that repeats the argument for proxies, without its prefix {@code Mcp-Param-}: {@code x-mcp-header} of
     * the schema. For texts, integers and booleans. By default none.
     */
    String header() default "";
}
