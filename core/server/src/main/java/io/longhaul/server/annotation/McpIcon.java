// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An icon of a tool. Clients of 2025-11-25 and newer show icons. */
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface McpIcon {

    /** An {@code https:} or {@code data:} address of the picture. */
    String src();

    /** The type of the picture. By default, the type that the address states. */
    String mimeType() default "";

    /** The sizes, such as {@code 48x48}, or {@code any}. */
    String[] sizes() default {};

    /** The background that the icon is made for. */
    Theme theme() default Theme.ANY;

    /** The background that an icon is made for. */
    enum Theme {
        ANY,
        LIGHT,
        DARK
    }
}
