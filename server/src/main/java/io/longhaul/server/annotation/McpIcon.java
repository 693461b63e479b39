// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A picture that stands for a tool. Older clients show none. */
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface McpIcon {

    /** An {@code https:} or {@code data:} address of the picture. */
    String src();

    /** Unsaid: what the address says. */
    String mimeType() default "";

    /** Such as {@code 48x48}, or {@code any}. */
    String[] sizes() default {};

    /** The background that it is made for. */
    Theme theme() default Theme.ANY;

    /** The background that an icon is made for. */
    enum Theme {
        ANY,
        LIGHT,
        DARK
    }
}
