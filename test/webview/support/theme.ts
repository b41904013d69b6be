/** The theme variables a webview of VS Code gets, as far as our style sheets use them; values of the built-in themes. */
export type ThemeName = 'light' | 'dark' | 'hc';

const light: Readonly<Record<string, string>> = {
  'foreground': '#3b3b3b',
  'descriptionForeground': '#616161',
  'errorForeground': '#b5200d',
  'icon-foreground': '#3b3b3b',
  'focusBorder': '#005fb8',
  'sideBar-background': '#f8f8f8',
  'sideBarSectionHeader-border': '#e5e5e5',
  'editor-background': '#ffffff',
  'editor-foreground': '#3b3b3b',
  'editor-findMatchBackground': '#a8ac94',
  'editor-findMatchHighlightBackground': '#ea5c0055',
  'editorWidget-background': '#f8f8f8',
  'editorWidget-foreground': '#3b3b3b',
  'editorInfo-foreground': '#0063d3',
  'editorWarning-foreground': '#bf8803',
  'widget-border': '#e5e5e5',
  'widget-shadow': '#00000029',
  'panel-border': '#e5e5e5',
  'input-background': '#ffffff',
  'input-foreground': '#3b3b3b',
  'input-border': '#cecece',
  'input-placeholderForeground': '#767676',
  'inputValidation-errorBackground': '#f2dede',
  'inputValidation-errorBorder': '#be1100',
  'inputValidation-infoBackground': '#d6ecf2',
  'inputValidation-infoBorder': '#007acc',
  'button-background': '#005fb8',
  'button-foreground': '#ffffff',
  'button-hoverBackground': '#0258a8',
  'button-border': '#0000001a',
  'button-secondaryBackground': '#e5e5e5',
  'button-secondaryForeground': '#3b3b3b',
  'button-secondaryHoverBackground': '#cccccc',
  'badge-background': '#cccccc',
  'badge-foreground': '#3b3b3b',
  'toolbar-hoverBackground': '#b8b8b850',
  'list-hoverBackground': '#f2f2f2',
  'list-activeSelectionBackground': '#e8e8e8',
  'list-activeSelectionForeground': '#000000',
  'menu-background': '#ffffff',
  'menu-foreground': '#3b3b3b',
  'menu-border': '#cecece',
  'textLink-foreground': '#005fb8',
  'textLink-activeForeground': '#005fb8',
  'textBlockQuote-background': '#f8f8f8',
  'textBlockQuote-border': '#e5e5e5',
  'textCodeBlock-background': '#f8f8f8',
  'textPreformat-background': '#0000001f',
  'textPreformat-foreground': '#3b3b3b',
  'keybindingLabel-border': '#cccccc66',
  'keybindingLabel-background': '#dddddd66',
  'keybindingLabel-foreground': '#3b3b3b',
  'chat-requestBorder': '#0000001a',
  'chat-requestBubbleBackground': '#adceff42',
  'gitDecoration-addedResourceForeground': '#587c0c',
  'gitDecoration-modifiedResourceForeground': '#895503',
  'gitDecoration-deletedResourceForeground': '#ad0707',
  'diffEditor-insertedLineBackground': '#9bb95533',
  'diffEditor-removedLineBackground': '#ff000033',
  'progressBar-background': '#005fb8',
};

const dark: Readonly<Record<string, string>> = {
  ...light,
  'foreground': '#cccccc',
  'descriptionForeground': '#9d9d9d',
  'errorForeground': '#f85149',
  'icon-foreground': '#cccccc',
  'focusBorder': '#0078d4',
  'sideBar-background': '#181818',
  'sideBarSectionHeader-border': '#2b2b2b',
  'editor-background': '#1f1f1f',
  'editor-foreground': '#cccccc',
  'editor-findMatchBackground': '#9e6a03',
  'editor-findMatchHighlightBackground': '#ea5c0055',
  'editorWidget-background': '#202020',
  'editorWidget-foreground': '#cccccc',
  'editorInfo-foreground': '#3794ff',
  'editorWarning-foreground': '#cca700',
  'widget-border': '#313131',
  'widget-shadow': '#0000005c',
  'panel-border': '#2b2b2b',
  'input-background': '#313131',
  'input-foreground': '#cccccc',
  'input-border': '#3c3c3c',
  'input-placeholderForeground': '#989898',
  'inputValidation-errorBackground': '#5a1d1d',
  'inputValidation-infoBackground': '#063b49',
  'button-background': '#0078d4',
  'button-hoverBackground': '#026ec1',
  'button-border': '#ffffff12',
  'button-secondaryBackground': '#313131',
  'button-secondaryForeground': '#cccccc',
  'button-secondaryHoverBackground': '#3c3c3c',
  'badge-background': '#616161',
  'badge-foreground': '#f8f8f8',
  'toolbar-hoverBackground': '#5a5d5e50',
  'list-hoverBackground': '#2a2d2e',
  'list-activeSelectionBackground': '#04395e',
  'list-activeSelectionForeground': '#ffffff',
  'menu-background': '#1f1f1f',
  'menu-foreground': '#cccccc',
  'menu-border': '#454545',
  'textLink-foreground': '#4daafc',
  'textLink-activeForeground': '#4daafc',
  'textBlockQuote-background': '#2b2b2b',
  'textBlockQuote-border': '#616161',
  'textCodeBlock-background': '#2b2b2b',
  'textPreformat-background': '#3c3c3c',
  'textPreformat-foreground': '#d0d0d0',
  'keybindingLabel-border': '#33333399',
  'keybindingLabel-background': '#8080802b',
  'keybindingLabel-foreground': '#cccccc',
  'chat-requestBorder': '#ffffff1a',
  'chat-requestBubbleBackground': '#264f784d',
  'gitDecoration-addedResourceForeground': '#81b88b',
  'gitDecoration-modifiedResourceForeground': '#e2c08d',
  'gitDecoration-deletedResourceForeground': '#c74e39',
  'diffEditor-insertedLineBackground': '#9bb95533',
  'diffEditor-removedLineBackground': '#ff000033',
  'progressBar-background': '#0078d4',
};

const unset = [
  'chat-requestBubbleBackground', 'textBlockQuote-background', 'diffEditor-insertedLineBackground', 'diffEditor-removedLineBackground',
  'button-secondaryHoverBackground', 'list-activeSelectionBackground', 'list-hoverBackground', 'toolbar-hoverBackground', 'widget-shadow',
];

const hc: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ...dark,
    'foreground': '#ffffff',
    'descriptionForeground': '#ffffffb3',
    'icon-foreground': '#ffffff',
    'focusBorder': '#f38518',
    'contrastBorder': '#6fc3df',
    'sideBar-background': '#000000',
    'sideBarSectionHeader-border': '#6fc3df',
    'editor-background': '#000000',
    'editor-foreground': '#ffffff',
    'editorWidget-background': '#0c141f',
    'widget-border': '#6fc3df',
    'panel-border': '#6fc3df',
    'input-background': '#000000',
    'input-foreground': '#ffffff',
    'input-border': '#6fc3df',
    'input-placeholderForeground': '#ffffffb3',
    'button-background': '#000000',
    'button-border': '#6fc3df',
    'button-secondaryBackground': '#000000',
    'button-secondaryForeground': '#ffffff',
    'badge-background': '#000000',
    'badge-foreground': '#ffffff',
    'menu-background': '#000000',
    'menu-foreground': '#ffffff',
    'menu-border': '#6fc3df',
    'textLink-foreground': '#21a6ff',
    'chat-requestBorder': '#6fc3df',
    'textCodeBlock-background': '#000000',
    'keybindingLabel-border': '#6fc3df',
  }).filter(([name]) => !unset.includes(name)),
);

const fonts: Readonly<Record<string, string>> = {
  'font-family': '"Noto Sans CJK SC", system-ui, sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': '"DejaVu Sans Mono", monospace',
  'editor-font-size': '14px',
};

/** Variables by full name (`--vscode-…`), and the class VS Code puts on the body. */
export function theme(name: ThemeName): { readonly variables: Readonly<Record<string, string>>; readonly bodyClass: string } {
  const colours = { light, dark, hc }[name];
  return {
    variables: Object.fromEntries(Object.entries({ ...colours, ...fonts }).map(([key, value]) => [`--vscode-${key}`, value])),
    bodyClass: { light: 'vscode-light', dark: 'vscode-dark', hc: 'vscode-high-contrast' }[name],
  };
}

/** What VS Code writes into every webview before our own style sheets. */
export const defaultStyles = `
@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight);
    font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd { background-color: var(--vscode-keybindingLabel-background); color: var(--vscode-keybindingLabel-foreground); border-style: solid; border-width: 1px; border-radius: 3px;
    box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); vertical-align: middle; padding: 1px 3px; }
}
html { background: var(--vscode-sideBar-background); }
`;
